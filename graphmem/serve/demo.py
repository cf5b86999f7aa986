"""`graphmem demo`: a story of our own, told to a fresh memory and asked back, offline."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from graphmem.model import Message
from graphmem.records import Constraint, Goal, Plan, Step
from graphmem.serve import show
from graphmem.sync import Memory

START = datetime(2026, 9, 1, 18, 0, tzinfo=UTC)

STORY: tuple[tuple[int, str, str], ...] = (
    (0, "Mira", "Hi! I live in Lisbon and I work at Harbor Books."),
    (0, "Jonas", "Nice! I live in Ghent. What do you do on weekends?"),
    (0, "Mira", "I play the cello, and I love jasmine tea. I'm allergic to peanuts, by the way."),
    (9, "Jonas", "My sister Lena visited me last weekend. We baked plum cake."),
    (9, "Mira", "I want to run the Porto half marathon in November."),
    (23, "Mira", "我最近在学中文，我喜欢北京烤鸭。"),
    (23, "Jonas", "太好了！我们十月一起去上海吧，预算五千元。"),
    (41, "Mira", "Big news: I moved to Porto last week!"),
    (41, "Jonas", "Wow! Are you still working at Harbor Books?"),
    (41, "Mira", "No, I no longer work at Harbor Books. I work at Ribeira Press now."),
    (60, "Jonas", "预算改成七千元了，酒店比较贵。"),
)
QUESTIONS = ("Where does Mira live?", "What is Mira allergic to?", "Who visited Jonas?", "上海旅行的预算是多少？")


@contextmanager
def _place(store: str | None) -> Iterator[str]:
    if store is not None:
        yield store
        return
    with tempfile.TemporaryDirectory(prefix="graphmem-demo-") as folder:
        yield str(Path(folder) / "demo.db")


def _title(number: int, text: str) -> None:
    show.out.print(f"\n[bold cyan]{number}. {text}[/]")


def play(store: str | None, user: str) -> None:
    """Empties the demo's own user first, so that it can be played again on any store."""
    with _place(store) as where, Memory.open(where, user_id=user) as memory:
        memory.forget(everything=True, reason="the demo starts afresh")
        _title(1, "A conversation goes in, word for word; typed memories are learned from it")
        turns = [
            Message(text, speaker, said_at=START + timedelta(days=day, minutes=n), session_id=f"day {day}")
            for n, (day, speaker, text) in enumerate(STORY)
        ]
        show.remembered(memory.remember(turns))

        _title(2, "Questions bring back the few memories that matter")
        for question in QUESTIONS:
            show.out.print(f"\n[bold]{question}[/]")
            show.recollections(memory.recall(question, limit=3))

        _title(3, "What changed is a new version; the old one can still be asked for")
        show.history(memory.history(subject="Mira", relation="lives_in"))
        was = START + timedelta(days=10)
        show.out.print(f"\n[bold]Where does Mira live?[/] [dim]as it held on {was:%d %B}[/]")
        show.recollections(memory.recall("Where does Mira live?", limit=1, at=was))

        _title(4, "A goal keeps its plan and its steps together")
        _trip(memory)

        _title(5, "What is stored")
        show.stats(memory.stats())
        if store is not None:
            show.out.print(f"\nIt is kept under user {user!r}; look at it with: graphmem list --store {store} --user {user}")


def _trip(memory: Memory) -> None:
    goal = _made(memory, Goal("Travel to Shanghai together", status="in_progress", deadline="2026-10-20"))
    plan = _made(memory, Plan("Plan for the trip to Shanghai", status="in_progress", relationships=[("subtask_of", goal)]))
    for number, (text, status) in enumerate((("Book the flights", "completed"), ("Book a hotel near the Bund", "pending")), start=1):
        _made(memory, Step(text, order=number, status=status, relationships=[("subtask_of", plan)]))
    limit = Constraint(
        "The hotel costs at most 900 CNY a night",
        subject="hotel",
        attribute="price",
        operator="lte",
        value=900,
        unit="CNY",
        relationships=[("part_of", goal)],
    )
    _made(memory, limit)
    show.chain(memory.chain(goal))


def _made(memory: Memory, draft: object) -> str:
    outcome = memory.add(draft)[0]  # type: ignore[arg-type]  # the records above are drafts
    if outcome.memory is None:
        raise AssertionError(outcome.why)
    return outcome.memory.id
