"""Schemathesis against the running server: whatever fits the OpenAPI document, or just does not, is answered and never with a 500."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.serve.rest_server import KEYS, ROOT, serving

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

CHECKS = "not_a_server_error,content_type_conformance,response_schema_conformance,status_code_conformance,response_headers_conformance"


@pytest.mark.parametrize("seed", [1, 2])
def test_no_request_is_a_server_error(tmp_path: Path, seed: int) -> None:
    with serving(tmp_path / "m.db", api_keys=KEYS, timezone="UTC") as url:
        document = tmp_path / "openapi.json"
        document.write_bytes(httpx.get(f"{url}/openapi.json", timeout=60).content)
        command = [
            str(Path(sys.executable).with_name("schemathesis")),
            *("run", str(document), "--url", url, "--checks", CHECKS, "--seed", str(seed), "--max-examples", "25", "--no-color"),
            *("--header", f"Authorization: Bearer {ROOT}", "--request-timeout", "30", "--suppress-health-check", "all"),
            *("--exclude-path-regex", "/extract$"),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-15_000:] + done.stderr[-2000:]
    assert "passed" in done.stdout or "No issues found" in done.stdout
