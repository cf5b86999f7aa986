"""Forgetting: what falls, what stays and how it stands, and that no byte is left."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem import Memory, Message
from graphmem.config import load_settings
from graphmem.embedders.fake import FakeEmbedder
from graphmem.errors import InvalidInput, NotFound
from graphmem.model import MemoryRecord
from graphmem.records import Goal, Observation, Preference, Summary
from graphmem.testing import FrozenClock

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


def fresh(path: Path | str = ":memory:", user_id: str = "alice", clock: FrozenClock | None = None) -> Memory:
    settings = load_settings(extraction=False)
    return Memory.open(path, user_id=user_id, settings=settings, embedder=FakeEmbedder(), clock=clock or FrozenClock(NOON))


def day(number: float) -> datetime:
    return NOON + timedelta(days=number)


def lives(memory: Memory, place: str, when: float, **more: object) -> MemoryRecord:
    found = memory.add_triple("Alice", "lives_in", place, valid_from=day(when), **more).memory  # type: ignore[arg-type]
    assert found is not None
    return memory.get(found.id)


def added(memory: Memory, draft: object) -> MemoryRecord:
    found = memory.add(draft)[0].memory  # type: ignore[arg-type]
    assert found is not None
    return found


def exported(memory: Memory, folder: Path) -> str:
    memory.export(folder / "out.jsonl")
    return (folder / "out.jsonl").read_text(encoding="utf-8")


def test_a_forgotten_link_of_a_chain_leaves_its_predecessor_superseded_and_the_chain_closed(tmp_path: Path) -> None:
    with fresh() as memory:
        leeds, york, bath = lives(memory, "Leeds", -90), lives(memory, "York", -60), lives(memory, "Bath", -30)
        before = memory.get(leeds.id)
        report = memory.forget(york.id, reason="asked")
        assert (report.residue, report.reason, report.counts["memories"]) == (0, "asked", 1)
        assert memory.get(leeds.id) == before
        assert memory.get(bath.id).state == "current"
        assert [one.properties["object"] for one in memory.list({"relation": "lives_in"}, at=day(-45))] == []
        assert "York" not in exported(memory, tmp_path)
        lives(memory, "Ely", -1)
        assert memory.get(leeds.id).valid_to == before.valid_to
        line = next(json.loads(one) for one in exported(memory, tmp_path).splitlines() if json.loads(one)["id"] == bath.id)
        assert [(one["type"].upper(), one["target_id"]) for one in line["relationships"]] == [("SUPERSEDES", leeds.id)]


def test_forgetting_the_last_value_brings_no_old_one_back() -> None:
    with fresh() as memory:
        leeds, york = lives(memory, "Leeds", -90), lives(memory, "York", -60)
        memory.forget(york.id)
        assert memory.get(leeds.id).state == "superseded"
        assert list(memory.list({"relation": "lives_in"})) == []


def test_forgetting_a_correction_leaves_what_it_corrected_invalid() -> None:
    with fresh() as memory:
        wrong = lives(memory, "Leeds", -90)
        right = memory.correct(wrong.id, object="York").memory
        assert right is not None
        memory.forget(right.id)
        assert memory.get(wrong.id).state == "invalid"


def test_a_lone_disputed_side_becomes_current() -> None:
    with fresh() as memory:
        one = lives(memory, "Leeds", -90, confidence=0.9)
        lives(memory, "York", -90, confidence=0.9)
        [conflict] = memory.conflicts()
        memory.forget(next(side.id for side in conflict.sides if side.id != one.id))
        assert memory.get(one.id).state == "current"
        assert memory.conflicts() == []


def test_a_dispute_drawn_by_hand_ends_with_its_side() -> None:
    with fresh() as memory:
        one, other = added(memory, Observation("The lamp is green")), added(memory, Observation("The lamp is grey"))
        memory.link(one.id, "contradicts", other.id)
        assert memory.get(one.id).state == "disputed"
        memory.forget(other.id)
        assert memory.get(one.id).state == "current"
        assert "contradicted_by" not in memory.get(one.id).metadata


def test_a_turn_takes_what_rests_on_it_alone_and_what_another_turn_says_stays(tmp_path: Path) -> None:
    with fresh() as memory:
        first, second, third = memory.remember(
            [Message(text, "Alice", said_at=day(n), session_id="s") for n, text in enumerate(["about quartz", "quartz, jade", "the end"])]
        ).episodes
        alone = added(memory, Observation("quartz is cheap", relationships=[("derived_from", first.id)]))
        shared = added(memory, Observation("jade is dear", relationships=[("derived_from", first.id), ("derived_from", second.id)]))
        summary = added(memory, Summary("stones", level="session", relationships=[("summarizes", shared.id), ("summarizes", first.id)]))
        memory.forget(first.id)
        for gone in (alone, summary):
            with pytest.raises(NotFound):
                memory.get(gone.id)
        assert memory.get(shared.id).text == "jade is dear"
        report = memory.forget(shared.id)
        assert report.remaining == (second.id,)
        assert memory.forget(second.id).counts["memories"] == 1
        assert third.id in exported(memory, tmp_path)


def test_with_sources_takes_the_turns_and_what_else_they_alone_say() -> None:
    with fresh() as memory:
        [turn] = memory.remember("opal and onyx", speaker="Alice", session_id="s").episodes
        opal, onyx = (added(memory, Observation(name, relationships=[("derived_from", turn.id)])) for name in ("opal", "onyx"))
        report = memory.forget(opal.id, with_sources=True)
        assert (report.counts["memories"], report.remaining) == (3, ())
        with pytest.raises(NotFound):
            memory.get(onyx.id)


def test_the_gap_in_a_session_closes() -> None:
    with fresh() as memory:
        turns = memory.remember([Message(f"turn {n}", "Al", said_at=day(n), session_id="s") for n in range(3)]).episodes
        memory.forget(turns[1].id)
        graph = memory._memory._engine.store.relationships("alice", [turns[2].id], ["FOLLOWS"])
        assert [one.other for one in memory._run(lambda: graph)] == [turns[0].id]


def test_an_inference_falls_with_any_premise_and_a_supported_claim_only_loses_weight() -> None:
    with fresh() as memory:
        premise, claim = added(memory, Observation("the road is wet")), added(memory, Observation("it rained", confidence=0.6))
        guess = added(memory, Observation("take a coat", source="inferred"))
        memory.link(premise.id, "supports", claim.id)
        memory.link(premise.id, "supports", guess.id)
        assert memory.get(claim.id).confidence > 0.6
        memory.forget(premise.id)
        assert memory.get(claim.id).confidence == pytest.approx(0.6, abs=1e-3)
        with pytest.raises(NotFound):
            memory.get(guess.id)


def test_names_that_only_the_forgotten_used_go_and_shared_entities_stay(tmp_path: Path) -> None:
    with fresh() as memory:
        lives(memory, "Leeds", -9)
        nick = memory.add_triple("Alice", "nickname", "Zuzu").memory
        assert nick is not None
        memory.add_triple("Zuzu", "works_at", "Orbit")
        orbit = memory.list({"relation": "works_at"})[0]
        memory.forget([nick.id, orbit.id])
        text = exported(memory, tmp_path)
        assert "Zuzu" not in text
        assert "Orbit" not in text
        assert "Alice" in text


def test_sessions_filters_and_users() -> None:
    with fresh() as memory:
        memory.remember([Message("in one", "Al", session_id="one"), Message("in two", "Al", session_id="two")])
        added(memory, Goal("paint", session_id="one"))
        bob = memory.for_user("bob")
        bob.remember("mine", speaker="Bob")
        assert memory.forget(session_id="one").counts["memories"] == 2
        assert memory.count() == 1
        assert memory.forget(filter={"type": "Episode"}).counts["memories"] == 1
        assert memory.forget(filter={"type": "Episode"}).counts == {}
        added(memory, Goal("paint"))
        assert memory.forget(everything=True).residue == 0
        assert (memory.count(), bob.count()) == (0, 1)
        with pytest.raises(InvalidInput):
            memory.forget()
        with pytest.raises(InvalidInput):
            memory.forget("x", everything=True)
        with pytest.raises(NotFound):
            memory.forget("nothing")


@pytest.mark.parametrize("everything", [False, True])
def test_tombstones_keep_an_import_from_bringing_it_back(tmp_path: Path, *, everything: bool) -> None:
    with fresh() as memory:
        kept, gone = added(memory, Observation("the hall is cold")), added(memory, Observation("the safe opens with 4711"))
        memory.export(tmp_path / "old.jsonl")
        if everything:
            memory.forget(everything=True, tombstones=True)
            assert memory.import_(tmp_path / "old.jsonl") == 0
        else:
            memory.forget(gone.id, tombstones=True)
            memory.import_(tmp_path / "old.jsonl")
            assert [one.id for one in memory.list()] == [kept.id]
        memory.forget(everything=True)
        assert memory.import_(tmp_path / "old.jsonl") == 2


@pytest.mark.parametrize("everything", [False, True])
def test_no_byte_of_it_is_left_in_the_file(tmp_path: Path, *, everything: bool) -> None:
    path = tmp_path / "m.db"
    with fresh(path) as memory:
        bob = memory.for_user("bob")
        bob.remember("nothing of note", speaker="Bob")
        for n in range(30):
            memory.remember(f"the password is xylophone {n}", speaker="Quentin", session_id="s")
            added(memory, Observation(f"xylophone number {n} plays", session_id="s"))
        memory.add_triple("Quentin", "works_at", "Zymurgy", qualifiers={"why": "xylophone"})
        if everything:
            memory.forget(everything=True, compact=True)
        else:
            memory.forget(filter={"source": "user"}, compact=True)
        files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert not [word for word in (b"xylophon", b"Quentin", b"quentin", b"Zymurgy", b"zymurgi") if word in files]
        assert b"nothing of note" in files


WORDS = ("agate", "beryl", "coral", "diamond", "emerald")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_forgetting_then_exporting_has_no_trace(tmp_path: Path, data: st.DataObject) -> None:
    clock = FrozenClock(NOON)
    with fresh(clock=clock) as memory:
        for number in range(data.draw(st.integers(3, 8))):
            clock.move_to(day(number))
            word = data.draw(st.sampled_from(WORDS))
            match data.draw(st.sampled_from(["place", "like", "seen", "said", "correct", "end"])):
                case "place":
                    lives(memory, word, data.draw(st.integers(-3, 9)), confidence=data.draw(st.sampled_from([0.6, 0.9])))
                case "like":
                    memory.add(Preference(subject="Alice", object=word, polarity=data.draw(st.sampled_from(["like", "dislike"]))))
                case "seen":
                    memory.add(Observation(f"there is {word}", about=word))
                case "said":
                    memory.remember(f"I saw {word}", speaker="Alice", session_id="s")
                case "correct":
                    for one in list(memory.list({"relation": "lives_in"}))[:1]:
                        memory.correct(one.id, object=word)
                case "end":
                    for one in list(memory.list({"relation": "lives_in"}))[:1]:
                        memory.retract(one.id, "wrong")
        word = data.draw(st.sampled_from(WORDS))
        states = ["current", "disputed", "superseded", "expired", "upcoming", "invalid", "archived"]
        everything = list(memory.list({"state": {"$in": states}}, limit=500))
        doomed = [one for one in everything if word in one.text or word in str(one.properties) or word in one.entities]
        kept = {one.id: one for one in everything if one not in doomed}
        if not doomed:
            return
        memory.forget([one.id for one in doomed])
        assert word not in exported(memory, tmp_path)
        now = {one.id: one.state for one in memory.list({"state": {"$in": states}}, limit=500)}
        assert now.keys() == kept.keys()
        for id_, state in now.items():
            assert state == kept[id_].state or (kept[id_].state, state) == ("disputed", "current")


def test_doctor_names_the_relations_that_the_data_wishes_for() -> None:
    with fresh() as memory:
        for n in range(5):
            memory.add_triple("Alice", "polishes", f"lens {n}")
        found = {one.check: one for one in memory.doctor(deep=True)}
        assert (found["relations"].detail, found["relations"].ok) == ("polishes (5)", True)
        assert "Fact.qualifiers" in found["slots"].detail
        assert "relations" not in {one.check for one in memory.doctor()}
