"""What of a memory is indexed: its sentence with the slots that it leaves unsaid, in passages that fit the embedder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphmem.core.late import Packing, centred, pack_all
from graphmem.core.tokens import search_text
from graphmem.model import MemoryRecord
from graphmem.ontology import Ontology
from graphmem.ontology_values import to_json
from graphmem.ports import Embedder, Passage, Vector, gives_tokens
from graphmem.quantity import Quantity
from graphmem.text import CJK, fold

LONGEST = 512
_BREAK = re.compile(r"(?<=[.!?。！？\n;；])\s*|\s+")
UNSAID = frozenset({"text", "entity", "entities", "quantity", "any", "list", "number"})
"""Kinds of slot whose value a reader might look for by word."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One passage before it is embedded."""

    memory_id: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Indexer:
    """Makes passages; holds what they are made with."""

    ontology: Ontology
    embedder: Embedder | None
    packing: Packing

    async def passages(self, records: Sequence[MemoryRecord], given: dict[str, Vector] | None = None) -> list[Passage]:
        """All passages of these memories; `given` has vectors that came with their memory."""
        pieces = [piece for record in records for piece in self._pieces(record)]
        bare = [Passage(piece.memory_id, piece.number, search_text(piece.text)) for piece in pieces]
        if self.embedder is None or not pieces:
            return bare
        texts = [piece.text for piece in pieces]
        packed: Sequence[bytes | None] = [None] * len(pieces)
        if gives_tokens(self.embedder):
            encodings = await self.embedder.encode_documents(texts)
            packed = pack_all([one.tokens for one in encodings], self.embedder.token_mean, self.packing)
            vectors = centred(np.stack([one.vector for one in encodings]), self.embedder.mean)
        else:
            vectors = np.asarray(await self.embedder.embed_documents(texts), dtype=np.float32)
        own = given or {}
        return [
            replace(passage, vector=own.get(passage.memory_id, vector) if passage.number == 0 else vector, tokens=tokens)
            for passage, vector, tokens in zip(bare, vectors, packed, strict=True)
        ]

    def _pieces(self, record: MemoryRecord) -> Iterator[Piece]:
        longest = self.embedder.max_tokens if self.embedder is not None else LONGEST
        for number, text in enumerate(cut(index_text(self.ontology, record), longest)):
            yield Piece(record.id, number, text)


def index_text(ontology: Ontology, record: MemoryRecord) -> str:
    """Its text, then captions of what is attached, its summary, and the slot values and keywords that the text does not say."""
    parts = [record.text]
    attached = record.metadata.get("attachments") or ()
    parts += [str(one["caption"]) for one in attached if one.get("caption")]
    if record.type == "Episode":
        return "\n".join(parts)
    said = fold(record.text)
    slots = ontology.type(record.type).slots
    values = [record.properties.get(name) for name, slot in slots.items() if slot.kind in UNSAID]
    extra = [record.summary, *(text for value in values for text in _words(value)), *record.keywords]
    parts += [text for text in dict.fromkeys(extra) if text and fold(text) not in said]
    return " · ".join(parts)


def _words(value: object) -> list[str]:
    match value:
        case str():
            return [value]
        case Quantity():
            return [str(value)]
        case list() | tuple():
            return [text for one in value for text in _words(one)]
        case int() | float() | bool() | None:
            return []
        case _:
            return [shown for shown in [to_json(value)] if isinstance(shown, str)]


def cut(text: str, longest: int) -> list[str]:
    """Cut the text into pieces of about `longest` tokens, after sentences where there are some, else between words, else anywhere.

    A token is taken as one CJK character or three others, which errs on the short side.
    """
    room = longest * 4 // 5
    if _tokens(text) <= room:
        return [text]
    pieces, current, size = [], "", 0
    for part in _parts(text, room):
        length = _tokens(part)
        if current and size + length > room:
            pieces.append(current.strip())
            current, size = "", 0
        current, size = current + part, size + length
    return [piece for piece in [*pieces, current.strip()] if piece]


def _parts(text: str, room: int) -> Iterator[str]:
    start = 0
    for match in _BREAK.finditer(text):
        yield from _slices(text[start : match.end()], room)
        start = match.end()
    yield from _slices(text[start:], room)


def _slices(part: str, room: int) -> Iterator[str]:
    """Slice a run without a break, which may be longer than a piece."""
    return (part[n : n + room] for n in range(0, len(part), room))


def _tokens(text: str) -> int:
    wide = 0 if text.isascii() else len(CJK.findall(text))
    return wide + (len(text) - wide) // 3 + 1
