"""The blocking face has every verb of the awaitable one, with the same signature."""

from __future__ import annotations

import inspect

import pytest

from graphmem import AsyncMemory, Memory

VERBS = sorted(
    name
    for name, member in inspect.getmembers(AsyncMemory, inspect.iscoroutinefunction)
    if not name.startswith("_") and name not in {"open", "close"}
)


@pytest.mark.parametrize("verb", VERBS)
def test_both_faces_agree(verb: str) -> None:
    assert inspect.signature(getattr(Memory, verb)).parameters == inspect.signature(getattr(AsyncMemory, verb)).parameters
    assert inspect.getdoc(getattr(Memory, verb)) == inspect.getdoc(getattr(AsyncMemory, verb))


@pytest.mark.parametrize(("alias", "verb"), [("search", "recall"), ("update", "correct"), ("delete", "forget")])
def test_aliases_that_other_libraries_taught(alias: str, verb: str) -> None:
    assert getattr(Memory, alias) is getattr(Memory, verb)
