"""A graphmem REST server on a loopback port, in a thread of the test's process."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from graphmem.config import Settings
from graphmem.serve.rest import create_app

ALICE, BOB, READER, ROOT = ("alice-key-for-tests", "bob-key-for-tests", "reader-key-for-tests", "root-key-for-tests")
KEYS: list[dict[str, Any]] = [
    {"key": ALICE, "users": ["alice", "al/ice %2F 李"]},
    {"key": BOB, "users": ["bob"], "rights": ["read", "write", "admin"]},
    {"key": READER, "users": ["alice"], "rights": ["read"]},
    {"key": ROOT, "users": ["*"], "rights": ["read", "write", "admin"]},
]


def settings(**given: Any) -> Settings:
    return Settings(**{"embedder": "none", "extraction": False, "rest_rate": 0, **given})


@contextmanager
def serving(store: Path, **given: Any) -> Iterator[str]:
    """The server's URL."""
    app = create_app(settings(**given), location=store)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, access_log=False, lifespan="on"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.02)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(timeout=60)
        assert not thread.is_alive()


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    """The problem document, after a look at what every one has in common."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = json.loads(answer.content)
    assert found["status"] == status
    assert found["type"].startswith("urn:graphmem:problem:")
    assert found["detail"]
    return found
