"""Ontologies of one's own: reading, refusing with the place, comparing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from graphmem import resources
from graphmem.errors import InvalidSlot, OntologyError
from graphmem.ontology import Ontology, OntologyChange, check, diff
from graphmem.ontology_load import read_yaml

CORE = Ontology.core()
HEAD = "extends: core@1\nname: mine\n"


def mine(**parts: Any) -> Ontology:
    return Ontology.load(HEAD + yaml.safe_dump(parts, allow_unicode=True))


@pytest.mark.parametrize("name", ["customer_service", "coding_agent", "travel"])
def test_the_examples_load(name: str) -> None:
    path = resources.path("ontology", f"{name}.yaml")
    assert check(path) == ()
    assert Ontology.load(str(path)).name == name
    assert not [change for change in diff(CORE, Ontology.load(path)) if change.effect in {"refuse", "map"}]


def test_dimensions_are_fields_of_every_type() -> None:
    service = Ontology.load(resources.path("ontology", "customer_service.yaml"))
    found = service.normalise("Episode", {"speaker": "Bo", "sentiment": "不满", "is_resolved": "no"})
    assert found.properties["sentiment"] == "negative"
    assert found.properties["is_resolved"] is False
    assert service.normalise_field("sentiment", "unhappy") == "negative"
    with pytest.raises(InvalidSlot, match="sentiment"):
        CORE.normalise("Episode", {"sentiment": "negative"})


def test_types_of_ones_own_and_more_slots_for_a_core_type() -> None:
    found = mine(
        types={
            "Symptom": {
                "aliases": "症狀, 征兆",
                "half_life": "30 d",
                "slots": {"grade": {"kind": "enum", "values": ["mild", "severe"], "default": "mild"}},
            },
            "Goal": {"slots": {"points": {"kind": "integer"}}, "aliases": ["Story"], "half_life": "never"},
        },
        predicates={"lives_in": {"en": ["dwells in"]}},
    )
    assert found.type("症状").name == "Symptom"
    assert found.normalise("Symptom", {}).properties == {"grade": "mild"}
    assert found.normalise("story", {"points": 3}).properties["points"] == 3
    assert found.relation_name("dwells in") == found.relation_name("moved to") == "lives_in"
    assert found.stamp != CORE.stamp


def test_behaviour_does_not_change_the_hash() -> None:
    assert mine(types={"Goal": {"half_life": "9 d"}}).hash == mine(types={"Goal": {"about": "what is wanted"}}).hash


WRONG: list[tuple[str, str]] = [
    ("- a", "must be a mapping"), ("a: [", "no valid YAML"), ("name: x", "extends: core@1"), ("extends: core@2\nname: x", "core 1.0"), ("extends: nowhere@1\nname: x", "no ontology 'nowhere'"),
    (HEAD + "colour: red", "colour: Extra"), (HEAD + "types: {Goal: {half_life: soon}}", "types.Goal.half_life"), (HEAD + "types: {a-b: {}}", "types.a-b"),
    (HEAD + "types: {X: {half_life: 5}}", "never"), (HEAD + "types: {X: {slots: {id: {}}}}", "types.X.slots.id: the name is reserved"),
    (HEAD + "types: {X: {slots: {a: {kind: enum}}}}", "types.X.slots.a: an enum needs"), (HEAD + "types: {X: {slots: {a: {kind: enum, values: moods}}}}", "no enum 'moods'"),
    (HEAD + "types: {X: {slots: {a: {kind: enum, values: [b], default: c}}}}", "the default 'c'"), (HEAD + "types: {X: {slots: {a: {kind: enum, values: {b: x, c: x}}}}}", "spelling of both b and c"),
    (HEAD + "types: {X: {slots: {a: {unit_slot: u}}}}", "no slot u"), (HEAD + "types: {X: {shorthands: {a: b}}}", "shorthands.a: no slot b"),
    (HEAD + "types: {X: {shorthands: {a: {link: B}}}}", "no relationship B"), (HEAD + "types: {X: {open: [a]}}", "open: no status a"),
    (HEAD + "types: {X: {slots: {status: {kind: enum, values: [a]}}, transitions: {a: [b]}}}", "transitions.a: no status b"), (HEAD + "types: {X: {aliases: [Task]}}", "spelling of Goal already"),
    (HEAD + "relationships: {R: {pairs: [[X, any]]}}", "no type X"), (HEAD + "predicates: {p: {inverse: q}}", "no predicate q"), (HEAD + "predicates: {p: {opposes: q}}", "no predicate q"),
    (HEAD + "predicates: {p: {key_values: {of: {a: b}}}}", "of is not in its key"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "problem"), WRONG)
def test_what_is_wrong_is_said_with_its_place(text: str, problem: str) -> None:
    (said,) = check(text + "\n")
    assert problem in said


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match="cannot be read"):
        Ontology.load(tmp_path / "none.yaml")
    with pytest.raises(OntologyError, match="cannot be read"):
        Ontology.load(str(tmp_path / "none.yml"))


def test_an_ontology_may_build_on_an_example() -> None:
    found = Ontology.load("extends: travel@1\nname: cruise\ntypes: {BookingItem: {slots: {deck: {kind: integer}}}}\n")
    assert found.normalise("booking", {"item": "酒店", "deck": 4}).properties == {"item": "hotel", "booking": "to_book", "deck": 4}


def test_the_core_file_reads_alike_in_pure_python(monkeypatch: pytest.MonkeyPatch) -> None:
    text = resources.text("ontology", "core.yaml")
    fast = read_yaml(text, "core.yaml")
    monkeypatch.setattr("graphmem.ontology_load.Loader", yaml.SafeLoader)
    assert read_yaml(text, "core.yaml") == fast


# ── diff ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def changes(old: Ontology, new: Ontology) -> set[tuple[str, str, str]]:
    return {(change.place, change.what, change.effect) for change in diff(old, new)}


def test_nothing_changed() -> None:
    assert diff(CORE, CORE) == ()


def test_what_changes_mean_for_data() -> None:
    old = mine(
        types={
            "A": {"slots": {"gone": {}, "kept": {"kind": "text"}, "grade": {"kind": "enum", "values": ["mild", "bad", "odd"]}, "lax": {}}},
            "B": {}, "Old": {},
        },
        relationships={"R": {"pairs": [["A", "B"], ["B", "A"]]}, "OLD_R": {}},
        predicates={"p": {"en": ["pp"]}, "old_p": {}, "lost": {}},
    )  # fmt: skip
    new = mine(
        types={
            "A": {
                "slots": {
                    "kept": {"kind": "number"}, "grade": {"kind": "enum", "values": {"mild": [], "severe": ["bad"]}}, "lax": {"required": True},
                    "must": {"required": True}, "free": {},
                },
                "half_life": "2 w", "claim": "fact",
            },
            "New": {"aliases": ["Old"]},
        },
        relationships={"R": {"pairs": [["A", "any"]], "acyclic": True, "forward": {"decay": 0.5}}, "NEW_R": {"aliases": ["OLD_R"]}, "MORE": {}},
        predicates={"p": {"en": ["pp", "ppp"], "functional": True}, "new_p": {"en": ["old_p"]}, "extra": {}},
    )  # fmt: skip
    assert changes(old, new) == {
        ("types.B", "removed type", "refuse"), ("types.Old", "is New now", "map"), ("types.New", "new type", "free"),
        ("types.A.slots.gone", "removed slot", "refuse"), ("types.A.slots.kept", "kind text → number", "refuse"), ("types.A.slots.free", "new optional slot", "free"),
        ("types.A.slots.must", "new required slot without a default", "refuse"), ("types.A.slots.lax", "is required now, without a default", "refuse"),
        ("types.A.slots.grade", "bad is severe now", "map"), ("types.A.slots.grade", "removed value odd", "refuse"), ("types.A.slots.grade", "new value severe", "free"),
        ("types.A", "claim None → fact", "rekey"), ("types.A.half_life", "None → 14 days, 0:00:00", "free"),
        ("relationships.R", "is acyclic now: refused where a cycle is stored", "refuse"), ("relationships.R", "joins fewer types", "refuse"),
        ("relationships.R", "is walked differently", "free"), ("relationships.OLD_R", "is NEW_R now", "map"), ("relationships.NEW_R", "new relationship", "free"),
        ("relationships.MORE", "new relationship", "free"), ("predicates.p.functional", "False → True", "rekey"), ("predicates.p", "new spellings", "rekey"),
        ("predicates.old_p", "is new_p now", "rekey"), ("predicates.new_p", "new predicate", "free"), ("predicates.extra", "new predicate", "rekey"),
        ("predicates.lost", "removed: its facts become many-valued text", "rekey"),
    }  # fmt: skip
    (mapped,) = [change for change in diff(old, new) if change.slot == "grade" and change.effect == "map"]
    assert mapped == OntologyChange(
        place="types.A.slots.grade", what="bad is severe now", effect="map", type="A", slot="grade", before="bad", after="severe"
    )


def test_relationships_that_join_fewer_types() -> None:
    old, new = mine(relationships={"R": {}}), mine(relationships={"R": {"same_type": True}})
    assert changes(old, new) == {("relationships.R", "joins fewer types", "refuse")}
