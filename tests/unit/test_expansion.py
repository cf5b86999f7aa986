"""Walking from hits along relationships: where paths turn, how far they carry, where what they reach is placed."""

from __future__ import annotations

from graphmem.core.expansion import CAP, Reached, advance, entries, moved_before, placed, worth
from graphmem.model import MemoryRecord, Recollection, Relationship
from graphmem.ontology import Ontology
from graphmem.ports import Neighbour

KINDS = Ontology.core().relationships


def record(id_: str, type_: str) -> MemoryRecord:
    return MemoryRecord(id=id_, user_id="u", type=type_, text=id_)


def link(source: str, type_: str, target: str) -> Relationship:
    return Relationship(id=f"{source} {type_} {target}", user_id="u", source_id=source, type=type_, target_id=target)


MEMORIES = {
    one.id: one
    for one in [
        record("move", "Goal"),
        record("flat", "Goal"),
        record("van", "Goal"),
        record("plan", "Plan"),
        record("view", "Step"),
        record("sign", "Step"),
        record("drive", "Step"),
        record("flood", "Event"),
        record("leak", "Event"),
        record("note", "Fact"),
    ]
}
LINKS = [
    link("flat", "SUBTASK_OF", "move"),
    link("van", "SUBTASK_OF", "move"),
    link("plan", "SUBTASK_OF", "flat"),
    link("view", "SUBTASK_OF", "plan"),
    link("sign", "SUBTASK_OF", "plan"),
    link("drive", "SUBTASK_OF", "van"),
    link("sign", "DEPENDS_ON", "view"),
    link("flood", "CAUSES", "leak"),
    link("leak", "PART_OF", "flat"),
    link("note", "REFERS_TO", "flood"),
    link("note", "REFERS_TO", "missing"),
    link("note", "SUPPORTS", "view"),
]


def hops(frontier: dict[str, Reached]) -> list[Neighbour]:
    found = []
    for one in LINKS:
        found += [Neighbour(one.source_id, one, one.target_id)] if one.source_id in frontier else []
        found += [Neighbour(one.target_id, one, one.source_id)] if one.target_id in frontier else []
    return found


def walk(*start: str) -> dict[str, Reached]:
    frontier, seen, met = entries(start), frozenset(start), dict[str, Reached]()
    while frontier:
        frontier = advance(frontier, hops(frontier), MEMORIES, KINDS, seen)
        seen |= frontier.keys()
        met |= frontier
    return met


def test_a_step_brings_its_chain_but_no_sibling_goal() -> None:
    met = walk("sign")
    assert met.keys() == {"plan", "view", "flat", "move", "leak"}
    assert [one.type for one in met["move"].path] == ["SUBTASK_OF"] * 3
    assert met["plan"].decay == 1.0
    assert met["leak"].left is False


def test_a_goal_brings_everything_below_it() -> None:
    assert walk("move").keys() == {"flat", "van", "plan", "drive", "view", "sign", "leak"}


def test_a_way_aside_does_not_turn_into_a_chain() -> None:
    assert walk("flood").keys() == {"leak", "note", "view"}
    assert walk("flood")["leak"].decay == 0.7
    assert "plan" not in walk("note")


def test_a_way_down_does_not_go_up_into_another_goal() -> None:
    shared = [link("drive", "SUBTASK_OF", "van"), link("drive", "PART_OF", "flat")]
    down = advance(entries(["van"]), [Neighbour("van", shared[0], "drive")], MEMORIES, KINDS, frozenset({"van"}))
    assert advance(down, [Neighbour("drive", shared[1], "flat")], MEMORIES, KINDS, frozenset({"van", "drive"})) == {}


def test_relationships_end_at_their_own_number_of_hops() -> None:
    memories = {str(i): record(str(i), "Fact") for i in range(4)}
    chain = [link(str(i), "REFERS_TO", str(i + 1)) for i in range(3)]
    first = advance(entries(["0"]), [Neighbour("0", chain[0], "1")], memories, KINDS, frozenset({"0"}))
    assert first["1"].decay == 0.3
    assert advance(first, [Neighbour("1", chain[1], "2")], memories, KINDS, frozenset({"0", "1"})) == {}
    assert advance(first, [Neighbour("9", chain[1], "2")], memories, KINDS, frozenset()) == {}


def test_of_two_paths_the_better_one_counts_and_a_hub_is_capped() -> None:
    memories = {"a": record("a", "Fact"), "b": record("b", "Fact"), "c": record("c", "Fact")}
    near = [Neighbour("a", link("a", "REFERS_TO", "c"), "c"), Neighbour("b", link("b", "ELABORATES", "c"), "c")]
    assert advance(entries(["a", "b"]), near, memories, KINDS, frozenset("ab"))["c"].entry == "b"
    assert advance(entries(["a", "b"]), near[::-1], memories, KINDS, frozenset("ab"))["c"].entry == "b"
    many = {f"n{i}": record(f"n{i}", "Fact") for i in range(CAP + 9)} | memories
    wide = [Neighbour("a", link(one, "REFERS_TO", "a"), one) for one in many if one.startswith("n")]
    assert len(advance(entries(["a"]), wide, many, KINDS, frozenset("a"))) == CAP


def test_a_path_is_worth_its_decay_times_the_relevance_of_its_end() -> None:
    reached = Reached("x", "e", 0.5)
    assert worth(reached, {"e": 1.0, "x": 0.8}) == 0.4
    assert worth(reached, {"e": 1.0}) == 0.25
    assert worth(reached, {}) == 0.25


def hit(id_: str, score: float = 0.0) -> Recollection:
    return Recollection(record(id_, "Fact"), score)


def ids(items: list[Recollection]) -> list[str]:
    return [one.memory.id for one in items]


def test_what_was_reached_fills_free_places_and_a_share_of_the_last_ones() -> None:
    direct, far = [hit(f"d{i}") for i in range(10)], [hit("x", 1), hit("y", 3), hit("z", 2), hit("w", 0)]
    assert ids(placed(direct, far, 10, 0.0)) == ids(direct)
    assert ids(placed(direct, far, 10, 0.3)) == ["d0", "d1", "d2", "d3", "d4", "d5", "d6", "y", "z", "x"]
    assert ids(placed(direct[:2], far, 4, 0.0)) == ["d0", "d1", "y", "z"]
    assert ids(placed(direct, far[:1], 10, 0.3))[-1] == "x"


def test_items_are_moved_before_a_place_once() -> None:
    items = [hit("a"), hit("b"), hit("c"), hit("d")]
    assert ids(moved_before(items, 1, [items[3], hit("e")])) == ["a", "d", "e", "b", "c"]
