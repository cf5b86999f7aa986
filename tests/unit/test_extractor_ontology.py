"""An ontology of the user's own is read without code: new predicates, new dimensions."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem.language.dimensions import cues_of, dimensions_in
from graphmem.language.extractor import RuleExtractor
from graphmem.model import Draft, Message
from graphmem.ontology import Ontology
from graphmem.ports import Turn

SAID_AT = datetime(2026, 3, 10, 9, tzinfo=UTC)
OWN = """
extends: core@1
name: own
version: "1.0"
predicates:
  sponsors: {kind: organization, en: "sponsors, is a sponsor of", zh: "赞助, 赞助了"}
  warranty: {kind: quantity, functional: true, en: "warranty, warranty period", zh: "保修期"}
dimensions:
  mood: {kind: enum, values: moods}
  is_resolved: {kind: bool}
  order_number: {kind: text}
enums:
  moods:
    bright: sunny, cheerful, 阳光
    dark: gloomy, 阴沉
"""


@pytest.fixture(scope="module")
def ontology(tmp_path_factory: pytest.TempPathFactory) -> Ontology:
    path = Path(tmp_path_factory.mktemp("ontology")) / "own.yaml"
    path.write_text(OWN, encoding="utf-8")
    return Ontology.load(path)


def learn(ontology: Ontology, text: str) -> tuple[Draft, ...]:
    (found,) = asyncio.run(RuleExtractor(ontology).extract([Turn(Message(text, "Alice"), SAID_AT, "Alice")]))
    return found.drafts


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Globex is a sponsor of Riverside Football Club.", ("Globex", "sponsors", "Riverside Football Club")),
        ("海力集团赞助了滨江足球队。", ("海力集团", "sponsors", "滨江足球队")),
        ("The warranty of the kettle is 24 months.", ("kettle", "warranty", "24 months")),
        ("水壶的保修期是24个月。", ("水壶", "warranty", "24个月")),
    ],
)
def test_a_declared_predicate_is_extracted(ontology: Ontology, text: str, triple: tuple[str, str, str]) -> None:
    found = [draft.properties for draft in learn(ontology, text) if draft.type == "Fact"]
    assert triple in {(slots["subject"], slots["relation"], slots["object"]) for slots in found}


@pytest.mark.parametrize(
    ("text", "dimensions"),
    [
        ("I feel cheerful, the case is resolved.", {"mood": "bright", "is_resolved": True}),
        ("The case is not resolved; my order number is A17.", {"is_resolved": False, "order_number": "A17"}),
        ("问题还没有解决，心情阴沉。", {"mood": "dark", "is_resolved": False}),
        ("Nothing of the kind.", {}),
    ],
)
def test_declared_dimensions_are_filled(ontology: Ontology, text: str, dimensions: dict[str, object]) -> None:
    assert dimensions_in(text, cues_of(ontology)) == dimensions


def test_dimensions_stand_on_what_the_turn_teaches(ontology: Ontology) -> None:
    (found,) = learn(ontology, "I live in Cork and the case is resolved.")
    assert (found.properties["relation"], found.properties["is_resolved"]) == ("lives_in", True)


@pytest.mark.parametrize("text", ["", "   ", "?!", "😀😀", "\u200b", "a" * 3000, "我" * 3000, "1. 2. 3.", "（）「」", "don't"])
def test_odd_input_raises_nothing(ontology: Ontology, text: str) -> None:
    assert learn(ontology, text) == ()
