"""What comes in through the verbs of Memory: times in every usual form, and wrong kinds refused in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.errors import GraphMemError, InvalidInput

MAY = datetime(2026, 5, 1, tzinfo=UTC)
FORMS = (MAY, date(2026, 5, 1), "2026-05-01", "2026-05", "2026-05-01T00:00:00Z", "2026-05-01T08:00:00+08:00")


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", user_id="ada", settings=Settings(embedder="none")) as opened:
        yield opened


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_lesson_100_a_time_is_read_in_every_usual_form(form: Any, memory: Memory) -> None:
    fact = memory.add_triple("Ada", "lives_in", "Turin", valid_from=form).memory
    turn = memory.remember("The stove was swept.", speaker="Ada", said_at=form).episodes[0]
    assert fact is not None
    assert (fact.valid_from, turn.properties["said_at"]) == (MAY, MAY)
    assert [found.memory.id for found in memory.recall("Where does Ada live?", at=form, filter={"type": "Fact"})] == [fact.id]
    assert fact.id in {one.id for one in memory.list(at=form)}


WRONG: dict[str, Callable[[Any], object]] = {
    "add a number": lambda memory: memory.add(5),
    "add nothing": lambda memory: memory.add(None),
    "add text": lambda memory: memory.add("text"),
    "unknown policy": lambda memory: memory.add_triple("Ada", "likes", "tea", policy="newest"),
    "remember nothing": lambda memory: memory.remember(None),
    "remember a number": lambda memory: memory.remember(5),
    "a turn's time in words": lambda memory: memory.remember({"role": "user", "content": "Hello", "said_at": "soon"}),
    "said_at in words": lambda memory: memory.remember("Hello", said_at="soon"),
    "said_at as a number": lambda memory: memory.remember("Hello", said_at=17),
    "unknown format": lambda memory: memory.import_("memories.jsonl", format="tape"),
    "importance that is no number": lambda memory: memory.add({"type": "Goal", "text": "Sweep", "importance": float("nan")}),
    "ask nothing": lambda memory: memory.recall(None),
    "limit as text": lambda memory: memory.recall("tea", limit="5"),
    "unknown order": lambda memory: memory.list(order="sideways"),
    "at in words": lambda memory: memory.recall("tea", at="soon"),
    "at without a zone": lambda memory: memory.recall("tea", at=datetime(2026, 5, 1)),
    "as_of without a zone": lambda memory: memory.list(as_of=datetime(2026, 5, 1)),
}


@pytest.mark.parametrize("case", WRONG)
def test_lesson_111_what_cannot_be_read_is_refused_at_the_door(case: str, memory: Memory) -> None:
    with pytest.raises(GraphMemError, match=r"not |no time|no number|has no time zone|unknown|cannot remember"):
        WRONG[case](memory)
    assert memory.count() == 0


def test_a_file_that_is_no_text_is_refused_by_its_line(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "picture.jsonl").write_bytes(bytes(range(128, 256)))
    with pytest.raises(InvalidInput, match=r"picture\.jsonl, line 1"):
        memory.import_(tmp_path / "picture.jsonl")
