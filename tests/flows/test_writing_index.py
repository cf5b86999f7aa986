"""What of a memory is indexed, and in which pieces."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import anyio
import numpy as np
import pytest

from graphmem.model import Draft, MemoryRecord
from graphmem.ontology import Ontology
from graphmem.ports import Passage, Vector
from graphmem.quantity import Quantity
from graphmem.temporal import to_interval
from graphmem.testing import FakeEmbedder
from graphmem.writing_index import Indexer, cut, index_text
from tests.flows.world import USER, World, day, fact, turn

CORE = Ontology.core()


class Plain:
    """An embedder that knows no tokens."""

    model_id, dimensions, max_tokens = "plain-2@1", 2, 32

    async def embed_documents(self, texts: Sequence[str]) -> Vector:
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)

    async def embed_queries(self, texts: Sequence[str]) -> Vector:
        return await self.embed_documents(texts)


def record(type_: str, text: str, **more: object) -> MemoryRecord:
    return MemoryRecord(id=text, user_id=USER, type=type_, text=text, **more)  # type: ignore[arg-type]  # fields of the record by name


def passages(indexer: Indexer, *records: MemoryRecord, given: dict[str, Vector] | None = None) -> list[Passage]:
    return anyio.run(indexer.passages, records, given)


@pytest.mark.parametrize(
    ("memory", "expected"),
    [
        (
            record("Episode", "Hello", properties={"speaker": "Ann"}, metadata={"attachments": [{"caption": "a red kite"}, {"uri": "x"}]}),
            "Hello\na red kite",
        ),
        (record("Fact", "She moved", properties={"subject": "Ann", "relation": "lives_in", "object": "Bern"}), "She moved · Ann · Bern"),
        (
            record("Fact", "It costs 5 EUR", properties={"subject": "pass", "relation": "price", "object": Quantity(5, "EUR")}),
            "It costs 5 EUR · pass",
        ),
        (record("Fact", "b", properties={"subject": "Mia", "relation": "born_on", "object": to_interval("2019-05-17")}), "b · Mia"),
        (
            record("Event", "Dinner", properties={"participants": ["Ann", "Bo"], "location": "Bern"}, keywords=("fondue",)),
            "Dinner · Ann · Bo · Bern · fondue",
        ),
        (record("Observation", "It rained", summary="rain"), "It rained"),
        (
            record(
                "Constraint", "Cheap", properties={"subject": "trip", "attribute": "budget", "operator": "lte", "value": 5, "unit": "EUR"}
            ),
            "Cheap · trip · budget",
        ),
    ],
)
def test_what_is_indexed(memory: MemoryRecord, expected: str) -> None:
    assert index_text(CORE, memory) == expected


def test_a_turn_is_embedded_as_it_was_said_whoever_said_it() -> None:
    indexer = Indexer(CORE, FakeEmbedder(), "int8")
    (said,) = passages(indexer, record("Episode", "red kite", properties={"speaker": "Ann"}))
    (bare,) = passages(indexer, record("Episode", "red kite"))
    assert said.search_text == bare.search_text
    assert said.vector is not None
    assert np.array_equal(said.vector, np.asarray(bare.vector))
    kept = [struct.unpack_from("<BBHH", one.tokens or b"")[2] for one in (said, bare)]
    assert kept == [2, 2]


def test_other_embedders_and_given_vectors() -> None:
    memory = record("Observation", "It rained")
    own = np.array([0.0, 1.0], dtype=np.float32)
    (made,) = passages(Indexer(CORE, Plain(), "int8"), memory)
    (given,) = passages(Indexer(CORE, Plain(), "int8"), memory, given={memory.id: own})
    assert made.tokens is None
    assert made.vector is not None
    assert made.vector[0] == len("It rained")
    assert given.vector is own
    assert passages(Indexer(CORE, None, "off"), memory)[0].vector is None
    assert passages(Indexer(CORE, Plain(), "off")) == []


@pytest.mark.parametrize("text", ["One. Two! Three? " * 30, "天气很好。我们去公园吧！" * 20, "x" * 700, "word " * 300, "short"])
def test_pieces_lose_nothing_and_fit(text: str) -> None:
    pieces = cut(text, 32)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(len(piece) <= 32 * 4 for piece in pieces)


def test_vectors_that_come_with_a_memory_are_stored() -> None:
    with World(embedder=FakeEmbedder()) as world:
        own = [1.0] + [0.0] * 63
        world.add(Draft(type="Observation", id="o", text="It rained.", vector=own), turn("e", "Hi", day(0)), fact("A", "owns", "kite"))
        (passage,) = world.run(world.store.passages(USER, ["o"]))
        assert passage.vector is not None
        assert passage.vector == pytest.approx(own, abs=1e-2)
        assert len(world.run(world.store.passages(USER, ["e"]))) == 1
