"""The blocking face has every verb of the awaitable one, with the same signature."""

from __future__ import annotations

import inspect

import pytest

from graphmem import AsyncMemory, Memory

VERBS = sorted(
    name for name, member in vars(AsyncMemory).items() if inspect.iscoroutinefunction(member) and not name.startswith("_") and name != "close"
)


@pytest.mark.parametrize("verb", VERBS)
def test_both_faces_agree(verb: str) -> None:
    assert inspect.signature(getattr(Memory, verb)) == inspect.signature(getattr(AsyncMemory, verb))
    assert inspect.getdoc(getattr(Memory, verb)) == inspect.getdoc(getattr(AsyncMemory, verb))


@pytest.mark.parametrize(("alias", "verb"), [("search", "recall"), ("update", "correct"), ("delete", "forget")])
def test_aliases_that_other_libraries_taught(alias: str, verb: str) -> None:
    assert getattr(Memory, alias) is getattr(Memory, verb)
