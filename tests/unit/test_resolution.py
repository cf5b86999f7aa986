"""Names to entities."""

from __future__ import annotations

import pytest

from graphmem.core.resolution import Wanted, entity_id, is_part, namesakes, resolve
from graphmem.model import Entity
from graphmem.text import fold_name


def entity(name: str, *aliases: str, kind: str = "Person", number: int = 0, **more: str) -> Entity:
    return Entity(id=entity_id("u", fold_name(name), number), user_id="u", name=name, kind=kind, aliases=aliases, **more)


WONG, HALE = entity("Amy Wong"), entity("Robert Hale", "Bob")


@pytest.mark.parametrize(
    ("wanted", "known", "nearby", "expected"),
    [
        (Wanted("amy  WONG"), [WONG], [], WONG.id),
        (Wanted("Bob"), [HALE], [], HALE.id),
        (Wanted("臺北"), [entity("台北", kind="Place")], [], entity("台北").id),
        (Wanted("The Orbit Labs"), [entity("Orbit Labs", kind="Organization")], [], entity("Orbit Labs").id),
        (Wanted("Amy", "Person"), [], [WONG], WONG.id),
        (Wanted("Amy", "Person"), [], [WONG, entity("Amy Ito")], entity("Amy").id),
        (Wanted("Amy"), [], [WONG], entity("Amy").id),
        (Wanted("Bob"), [HALE, entity("Rob Dale", "Bob")], [], entity("Bob").id),
        (Wanted("Bob"), [entity("Bob", merged_into=HALE.id), HALE], [], HALE.id),
        (Wanted("Cy"), [], [], entity("Cy").id),
        (Wanted("Cy"), [entity("Cy", number=1), entity("Cy")], [entity("Cy", number=1)], entity("Cy", number=1).id),
        (Wanted("Cy"), [entity("Cy", number=1), entity("Cy")], [], entity("Cy").id),
    ],
)
def test_each_kind_of_match(wanted: Wanted, known: list[Entity], nearby: list[Entity], expected: str) -> None:
    assert resolve("u", [wanted], known, {}, nearby).of(wanted.name).id == expected


def test_a_new_entity_keeps_its_spelling_and_is_reported() -> None:
    found = resolve("u", [Wanted(" Cy Young ", "Person"), Wanted("cy young")], [], {})
    assert [(one.name, one.kind) for one in found.changed] == [("Cy Young", "Person")]


def test_a_kind_that_was_unknown_is_learned_once() -> None:
    found = resolve("u", [Wanted("Falun", "Place"), Wanted("falun", "Person")], [entity("Falun", kind="Thing")], {})
    assert [one.kind for one in found.changed] == ["Place"]


def test_declared_names_are_taken_on() -> None:
    found = resolve("u", [Wanted("Robert Hale"), Wanted("Bobby")], [HALE], {"Bobby": "Robert Hale"})
    assert found.of("bobby").id == HALE.id
    assert found.of("Robert Hale").aliases == ("Bob", "Bobby")
    assert resolve("u", [], [HALE], {"Bob": "Robert Hale"}).changed == ()
    late = resolve("u", [Wanted("Bertram"), Wanted("Bert")], [entity("Bert")], {"Bert": "Bertram"})
    assert late.of("Bertram").id == entity("Bert").id
    assert late.of("Bert").aliases == ("Bertram",)
    taken = resolve("u", [Wanted("Amy Wong")], [HALE, WONG], {"Amy Wong": "Robert Hale"})
    assert taken.of("Amy Wong").id == WONG.id
    fresh = resolve("u", [Wanted("Tess"), Wanted("T")], [], {"T": "Tess"})
    assert fresh.of("T").id == fresh.of("Tess").id
    assert fresh.of("T").aliases == ("T",)


def test_namesakes() -> None:
    pair = [entity("Cy"), entity("Cy", number=1)]
    assert namesakes([*pair, WONG]) == pair
    assert namesakes([entity("Cy", merged_into=WONG.id), pair[1]]) == []


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [
        ("amy", "amy wong", True),
        ("am", "amy wong", False),
        ("amy", "amy", False),
        ("小明", "王小明", True),
        ("明", "王小明", False),
        ("王小", "王小明", False),
    ],
)
def test_parts_of_names(part: str, whole: str, expected: bool) -> None:
    assert is_part(part, whole) is expected
