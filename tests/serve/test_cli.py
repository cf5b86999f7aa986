"""The command line as a process: what it prints, where, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def cli(tmp_path: Path) -> Any:
    environment = {**os.environ, "GRAPHMEM_STORE": str(tmp_path / "m.db"), "GRAPHMEM_EMBEDDER": "none", "COLUMNS": "200", "NO_COLOR": "1"}

    def run(*arguments: str, code: int = 0, stdin: str = "") -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "graphmem.serve.cli", *arguments],
            capture_output=True,
            text=True,
            env=environment,
            input=stdin,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done

    return run


def test_remember_recall_and_history(cli: Any) -> None:
    assert "1 turn kept" in cli("remember", "I live in Leeds.", "--speaker", "Alice", "--said-at", "2026-01-01T09:00:00Z").stdout
    assert "Superseded" in cli("remember", "I moved to Bristol.", "--speaker", "Alice", "--said-at", "2026-03-01T09:00:00Z").stdout
    assert "Bristol" in cli("recall", "Where does Alice live?").stdout
    found = json.loads(cli("recall", "Where does Alice live?", "--json", "--limit", "1").stdout)
    assert len(found) == 1
    table = cli("history", "--subject", "Alice", "--relation", "lives_in").stdout
    assert "superseded" in table
    assert "current" in table
    assert "tokens" not in cli("recall", "Leeds", "--explain").stderr
    assert "time" in cli("recall", "Leeds", "--explain").stdout
    assert "Leeds" in cli("list", "--at", "2026-02-01").stdout


def test_typed_memories_links_and_chain(cli: Any) -> None:
    goal = json.loads(cli("add", "Goal", "status=pending", "--text", "Fly to Shanghai", "--json").stdout)[0]["memory"]["id"]
    step = json.loads(cli("add", "Step", "order=1", "--text", "Book the flight", "--json").stdout)[0]["memory"]["id"]
    cli("link", step, "subtask_of", goal)
    tree = cli("chain", goal).stdout
    assert tree.index("Fly to Shanghai") < tree.index("Book the flight")
    assert json.loads(cli("get", goal).stdout)["properties"]["status"] == "pending"
    assert "Corrected" not in cli("correct", goal, "priority=high").stderr


def test_an_error_is_one_line_on_stderr(cli: Any) -> None:
    done = cli("add", "Wish", code=1)
    assert done.stdout == ""
    assert done.stderr.startswith("graphmem: unknown type 'Wish'; allowed:")
    assert done.stderr.count("\n") == 1
    assert "not JSON" in cli("list", "--filter", "{", code=1).stderr
    assert "name=value" in cli("add", "Goal", "pending", code=1).stderr
    assert "Missing argument" in cli("recall", code=2).stderr


def test_files_stdin_export_and_forget(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "talk.txt").write_text("Ada: I have a parrot.\nBen: Nice!\n", encoding="utf-8")
    assert "2 turns kept" in cli("remember", str(tmp_path / "talk.txt")).stdout
    assert "1 turn kept" in cli("remember", "--speaker", "Ada", stdin="The parrot is called Pepper.").stdout
    cli("export", str(tmp_path / "out.jsonl"))
    assert "0 left" in cli("forget", "--everything", "--yes").stdout
    assert json.loads(cli("list", "--json").stdout) == []
    cli("import", str(tmp_path / "out.jsonl"))
    assert "Pepper" in cli("list").stdout
    assert "Episode" in cli("stats").stdout
    assert "embedder" in cli("doctor").stdout


def test_help_names_every_command(cli: Any) -> None:
    text = cli("--help").stdout
    for command in (
        "remember",
        "recall",
        "context",
        "add",
        "link",
        "chain",
        "history",
        "conflicts",
        "resolve",
        "correct",
        "forget",
        "export",
        "import",
        "demo",
    ):
        assert command in text
