from datetime import UTC, datetime

from graphmem.core.chains import build, told
from graphmem.model import MemoryRecord, Relationship


def record(id_: str, type_: str, day: int = 1, **slots: object) -> MemoryRecord:
    return MemoryRecord(id=id_, user_id="u", type=type_, text=id_, properties=slots, valid_from=datetime(2026, 1, day, tzinfo=UTC))


def part(child: str, parent: str, type_: str = "SUBTASK_OF") -> Relationship:
    return Relationship(id=f"{child}{parent}", user_id="u", source_id=child, type=type_, target_id=parent)


MEMORIES = {
    one.id: one
    for one in [
        record("move", "Goal"),
        record("flat", "Goal"),
        record("van", "Goal"),
        record("plan", "Plan"),
        record("second", "Step", order=2),
        record("first", "Step", order=1),
        record("key", "Event", day=9),
        record("view", "Event", day=3),
        record("drive", "Step", order=1),
        record("below 900", "Constraint"),
    ]
}
LINKS = [
    part("flat", "move"),
    part("van", "move"),
    part("plan", "flat"),
    part("second", "plan"),
    part("first", "plan"),
    part("key", "flat", "PART_OF"),
    part("view", "flat", "PART_OF"),
    part("drive", "van"),
    part("below 900", "flat", "PART_OF"),
]


def test_a_subgoal_brings_what_is_above_and_below_it_but_no_sibling() -> None:
    chain = build("flat", MEMORIES, LINKS)
    assert [memory.id for memory in chain.memories] == ["move", "flat", "below 900", "plan", "first", "second", "view", "key"]
    assert chain.root.children[0].relationship == "SUBTASK_OF"


def test_a_step_brings_the_chain_of_its_goal() -> None:
    assert build("second", MEMORIES, LINKS).memories == build("flat", MEMORIES, LINKS).memories


def test_a_memory_outside_any_task_is_its_own_chain() -> None:
    alone = {"x": record("x", "Fact")}
    assert [memory.id for memory in build("x", alone, []).memories] == ["x"]


def test_a_cycle_that_got_in_does_not_hang() -> None:
    chain = build("a", {"a": record("a", "Step"), "b": record("b", "Step")}, [part("a", "b"), part("b", "a")])
    assert {memory.id for memory in chain.memories} == {"a", "b"}


def test_a_chain_is_told_with_what_happened_last_and_by_time() -> None:
    lines = [(memory.id, depth) for memory, depth in told(build("move", MEMORIES, [*LINKS, part("key", "first")]))]
    assert [id_ for id_, _ in lines[-2:]] == ["view", "key"]
    assert lines[0] == ("move", 0)
    assert ("below 900", 2) in lines
