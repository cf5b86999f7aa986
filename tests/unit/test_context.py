"""Packing into a budget: sections, marks, citations, units that stay together."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.core.context import Item, Packing, estimate, moment_of, pack, section_of
from graphmem.model import Citation, MemoryRecord, Recollection
from graphmem.temporal import Interval

MARCH = datetime(2026, 3, 10, tzinfo=UTC)


def record(id_: str, type_: str = "Fact", **more: object) -> MemoryRecord:
    slots = more.pop("slots", {})
    return MemoryRecord(id=id_, user_id="u", type=type_, text=str(more.pop("text", id_)), properties=slots, **more)  # type: ignore[arg-type]


def item(memory: MemoryRecord, priority: float = 1.0, **more: object) -> Item:
    hit = Recollection(memory, 1.0, **{k: more.pop(k) for k in ("citations", "outdated_by", "disputed_with", "scope") if k in more})  # type: ignore[arg-type]
    return Item(hit, section_of(memory.type), priority, **more)  # type: ignore[arg-type]


TOKENS = [("", 0), ("abc", 1), ("abcd", 1), ("abcde", 2), ("我喜欢茶", 4), ("买 tea", 2), ("\n", 1)]


@pytest.mark.parametrize(("text", "tokens"), TOKENS)
def test_tokens_are_estimated_by_script(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


def test_sections_stand_in_order_and_lines_are_dated_and_cited() -> None:
    turn = record("t", "Episode", text="Tea, please.", slots={"speaker": "Alice", "said_at": MARCH})
    said = Citation("t", "Tea, please.", "Alice", MARCH, "s")
    items = [
        item(turn),
        item(record("Alice drinks tea", valid_from=MARCH), citations=(said,), was=("coffee",)),
        item(record("Never call after nine", "Instruction", source="tool")),
        item(record("Open the shop", "Goal", slots={"status": "in_progress", "deadline": Interval(MARCH, None)}), depth=1),
        item(record("Bob sings", confidence=0.3), scope="team"),
    ]
    context = pack(items, Packing(500))
    assert context.text.splitlines() == [
        "Instructions and limits:",
        "- Never call after nine [m1, tool]",
        "",
        "Goals:",
        "  - Open the shop (in progress, due 2026-03-10) [m2]",
        "",
        "Facts:",
        "- Alice drinks tea (was coffee) [m3, Alice, 2026-03-10]",
        "- Bob sings (unsure: is this so?) [m4, team]",
        "",
        "Said:",
        "- Alice: Tea, please. [m5, Alice, 2026-03-10]",
    ]
    assert [one.memory.id for one in context.recollections][-1] == "t"
    assert context.tokens == estimate(context.text)


def test_a_dispute_is_marked_on_both_sides_and_asked_about_last() -> None:
    one, other = record("It seats 40"), record("It seats 50")
    items = [item(one, disputed_with=(other,), unit="d"), item(other, disputed_with=(one,), unit="d", against=True)]
    lines = pack(items, Packing(200, questions={"d": "40 or 50?"})).text.splitlines()
    assert lines == [
        "Facts:",
        "- disputed, conflicts with the next: It seats 40 [m1]",
        "- disputed, conflicts with the one before: It seats 50 [m2]",
        "",
        "Open questions:",
        "- 40 or 50?",
    ]


MARKS = [
    (item(record("old", state="superseded", valid_from=MARCH)), "old (earlier 2026-03-10)"),
    (item(record("gone", state="expired")), "gone (earlier)"),
    (item(record("later", state="upcoming", valid_from=MARCH)), "later (upcoming 2026-03-10)"),
    (item(record("fair", "Event", state="expired")), "fair ["),
    (item(record("stale", "Episode"), outdated_by=(record("fresh"),)), "stale (outdated, now: fresh)"),
    (item(record("doubt", "Episode", confidence=0.1)), "doubt ["),
]


@pytest.mark.parametrize(("one", "shown"), MARKS)
def test_what_is_not_simply_current_says_so(one: Item, shown: str) -> None:
    assert shown in pack([one], Packing(100)).text


def test_chinese_contexts_speak_chinese() -> None:
    goal = record("开书店", "Goal", slots={"status": "blocked", "deadline": MARCH}, confidence=0.2)
    text = pack([item(goal)], Packing(100, chinese=True)).text
    assert text == "目标:\n- 开书店（受阻，截止 2026-03-10，不确定：是这样吗？） [m1]"


def test_what_matters_least_gives_way_and_units_go_together() -> None:
    items = [item(record(f"fact number {i} " + "x" * 40), priority=float(i)) for i in range(6)]
    pair = [item(record("one side"), 9.0, unit="p"), item(record("other side"), 0.0, unit="p")]
    kept = [one.memory.text for one in pack([*items, *pair], Packing(70)).recollections]
    assert {"one side", "other side"} <= set(kept)
    assert items[0].memory.text not in kept
    assert items[5].memory.text in kept


def test_a_single_line_that_is_too_long_is_cut_and_no_budget_shows_nothing() -> None:
    long = item(record("word " * 100))
    context = pack([long], Packing(20))
    assert 0 < context.tokens <= 20
    assert context.text.endswith("…")
    assert pack([long], Packing(0)).text == ""
    assert pack([long], Packing(1)).text == ""
    assert pack([], Packing(10)).recollections == ()


def test_headings_that_do_not_fit_with_their_lines_cost_the_least_line() -> None:
    count = len
    items = [item(record("aa"), 2.0), item(record("bb", "Preference"), 1.0)]
    full = pack(items, Packing(1000, count)).tokens
    assert len(pack(items, Packing(full - 1, count)).recollections) == 1


@given(
    st.lists(st.tuples(st.sampled_from(["Fact", "Goal", "Episode", "Step"]), st.text(max_size=40), st.floats(0, 3)), max_size=8),
    st.integers(0, 80),
)
def test_the_budget_is_kept(rows: list[tuple[str, str, float]], budget: int) -> None:
    items = [
        item(record(str(i), type_, text=text), priority, unit="u" if i in {1, 2} else "") for i, (type_, text, priority) in enumerate(rows)
    ]
    context = pack(items, Packing(budget, questions={"u": "which?"}))
    assert context.tokens <= max(budget, 0)
    assert len(context.recollections) <= len(items)


MOMENTS = [
    (record("a", slots={"time": Interval(MARCH, None)}), MARCH),
    (record("a", slots={"said_at": MARCH}), MARCH),
    (record("a", valid_from=MARCH), MARCH),
    (record("a", recorded_at=MARCH), MARCH),
    (record("a"), None),
]


@pytest.mark.parametrize(("memory", "moment"), MOMENTS)
def test_a_memory_is_dated_by_what_is_known_best(memory: MemoryRecord, moment: datetime | None) -> None:
    assert moment_of(memory) == moment
