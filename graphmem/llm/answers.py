"""What a model answers, read strictly: its shape by pydantic, each memory against its turn and the ontology."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from graphmem.errors import InvalidInput, InvalidModelOutput, OntologyError
from graphmem.llm.prompting import FREE_SLOTS, LONGEST, taught
from graphmem.model import Act, Draft
from graphmem.ontology import Normalised, Ontology, SlotDef
from graphmem.ports import Turn
from graphmem.temporal import to_interval
from graphmem.text import CJK, fold, fold_name

SUREST = 0.85
"""Most that a model's own confidence counts for; what the rules read may be surer."""
SELF = frozenset({"i", "me", "my", "myself", "user", "the user", "speaker", "the speaker", "我", "本人", "用户", "说话人"})
OTHER = frozenset({"you", "your", "yourself", "你", "您"})
LISTS = frozenset({"list", "entities"})
PERSONS = frozenset({"entity", "entities"})
_SENTENCE_END = re.compile(r"[.!?。！？\n]")
_ASKED = re.compile(r"[^.!?。！？\n]*[?？]")
_WORDS = re.compile(r"[^\W\d_]{2,}")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Slot(_Strict):
    name: str
    value: str | int | float | bool


class Found(_Strict):
    """One memory as the model gives it; every field must be there, so that endpoints can enforce the schema."""

    turn: int
    type: str
    text: str
    quote: str
    slots: list[Slot]
    valid_from: str | None
    valid_to: str | None
    act: Literal["state", "correct", "end"]
    confidence: float
    importance: float


class Answer(_Strict):
    memories: list[Found]


@lru_cache(maxsize=8)
def _schema(types: tuple[str, ...]) -> Mapping[str, Any]:
    schema = Answer.model_json_schema()
    schema["$defs"]["Found"]["properties"]["type"] = {"type": "string", "enum": list(types)}
    return schema


def schema_of(ontology: Ontology) -> Mapping[str, Any]:
    """JSON Schema of an answer, its types those of the ontology."""
    return _schema(tuple(kind.name for kind in taught(ontology)))


def shaped(value: Mapping[str, Any]) -> Answer:
    try:
        return Answer.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidModelOutput(f"the answer does not fit: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


@dataclass(frozen=True, slots=True)
class Unfit:
    """A memory of an answer that breaks a rule; told to the model once."""

    turn: int | None
    problem: str


@dataclass(frozen=True, slots=True)
class Passed:
    """A memory left out without asking again: it is known, or quotes nothing that was said."""

    turn: int
    why: Literal["known", "not said", "asked", "echo"]


Read: TypeAlias = tuple[int, Draft] | Passed | Unfit


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the memories of one answer against its turns, what is known of them, and the ontology."""

    ontology: Ontology
    turns: Sequence[Turn]
    known: Sequence[Sequence[Draft]]
    extractor: str

    def read(self, answer: Answer) -> list[Read]:
        found: list[Read] = []
        taken = [list(drafts) for drafts in self.known]
        for number, one in enumerate(answer.memories):
            read = self._one(number, one, taken)
            if isinstance(read, tuple):
                taken[read[0]].append(read[1])
            found.append(read)
        return found

    def _one(self, number: int, one: Found, taken: Sequence[Sequence[Draft]]) -> Read:
        if not 0 <= one.turn < len(self.turns):
            return Unfit(None, f"memories.{number}.turn: there is no turn {one.turn}")
        turn = self.turns[one.turn]
        text = turn.message.text
        start = text[:LONGEST].find(one.quote) if one.quote.strip() else -1
        if start < 0:
            return Passed(one.turn, "not said")
        try:
            draft = self._draft(one, turn, (start, start + len(one.quote)))
        except (OntologyError, InvalidInput) as error:
            return Unfit(one.turn, f"memories.{number}: {error}")
        if self.ontology.claim_kind(draft.type) and asks(text, start, start + len(one.quote)):
            return Passed(one.turn, "asked")
        if self._echoes(draft, turn):
            return Passed(one.turn, "echo")
        if any(self._same(draft, other) for other in taken[one.turn]):
            return Passed(one.turn, "known")
        return one.turn, draft

    def _draft(self, one: Found, turn: Turn, evidence: tuple[int, int]) -> Draft:
        kind = next((kind for kind in taught(self.ontology) if kind.name == one.type), None)
        if kind is None:
            raise InvalidInput(f"type: {one.type!r} is none of {', '.join(kind.name for kind in taught(self.ontology))}")
        if not (0 <= one.confidence <= 1 and 0 <= one.importance <= 1):
            raise InvalidInput("confidence and importance are numbers from 0 to 1")
        zone = turn.said_at.tzinfo
        given, free = self._slots(one, kind.slots, turn)
        slots = self.ontology.normalise(kind.name, given, zone)
        self._check(one, slots, turn)
        valid = [None if moment is None else to_interval(moment, zone) for moment in (one.valid_from, one.valid_to)]
        start, end = valid
        if start and end and start.start and end.start and end.start < start.start:
            raise InvalidInput(f"valid_to {one.valid_to} lies before valid_from {one.valid_from}")
        act: Act = one.act if kind.claim else "state"
        return Draft(
            type=kind.name,
            text=one.text.strip(),
            properties=slots.properties,
            act=act,
            valid_from=start.start if start else None,
            valid_to=end.start if end else None,
            precision=start.precision if start else None,
            confidence=round(min(one.confidence, SUREST), 3),
            importance=round(one.importance, 3),
            evidence=evidence,
            extractor=self.extractor,
            **free,
        )

    def _slots(self, one: Found, known: Mapping[str, SlotDef], turn: Turn) -> tuple[dict[str, Any], dict[str, Any]]:
        """Pairs gathered by name: several values make a list, persons in the first or second are named; and fields that any type has."""
        values: dict[str, list[Any]] = {}
        for slot in one.slots:
            if slot.name not in known and slot.name not in FREE_SLOTS:
                raise InvalidInput(f"{one.type}.{slot.name}: there is no such slot; allowed: {', '.join((*known, *FREE_SLOTS))}")
            if slot.value != "":
                values.setdefault(slot.name, []).append(slot.value)
        free = {name: str(values.pop(name)[0]) for name in FREE_SLOTS if name in values and name not in known}
        return {name: _joined(known[name], [_named(known[name], value, turn) for value in given]) for name, given in values.items()}, free

    def _check(self, one: Found, slots: Normalised, turn: Turn) -> None:
        relation = slots.properties.get("relation")
        if self.ontology.claim_kind(slots.type) == "fact" and relation not in self.ontology.predicates:
            raise InvalidInput(f"Fact.relation: {relation!r} is not declared; take one of the list, or leave the memory out")
        if not one.text.strip():
            raise InvalidInput("text: is empty")
        said = turn.message.text
        if bool(CJK.search(one.quote)) != bool(CJK.search(one.text)) and _WORDS.search(one.text) and one.text not in said:
            raise InvalidInput("text: must be in the language of its turn")

    def _echoes(self, draft: Draft, turn: Turn) -> bool:
        """What an assistant or a tool's caller says of the people it talks with was said by them, or recalled from memory."""
        if turn.message.role != "assistant" or not self.ontology.claim_kind(draft.type):
            return False
        people = {fold_name(other.speaker) for other in self.turns if other.message.role == "user"}
        people |= {fold_name(name) for name in (turn.addressee, turn.previous_speaker) if name and name != turn.speaker}
        return fold_name(str(draft.properties.get("subject", ""))) in people | {"user", "用户"}

    def _same(self, draft: Draft, other: Draft) -> bool:
        """One claim with one value, or the same type read off the same words."""
        if draft.type != other.type:
            return False
        overlaps = bool(
            draft.evidence and other.evidence and draft.evidence[0] < other.evidence[1] and other.evidence[0] < draft.evidence[1]
        )
        mine, theirs = (self._claim(one) for one in (draft, other))
        if mine is None or theirs is None:
            return overlaps or fold(draft.text) == fold(other.text)
        return mine[0] == theirs[0] and (overlaps or mine[1] == theirs[1])

    def _claim(self, draft: Draft) -> tuple[tuple[str, ...], str | None] | None:
        """Key and value of a claim as they will be stored; None for what is none."""
        try:
            slots = self.ontology.normalise(draft.type, draft.properties).properties
        except (OntologyError, InvalidInput):
            return None
        terms = self.ontology.claim_terms(draft.type, slots)
        if terms is None:
            return None
        return (fold_name(str(slots.get("subject", ""))), *terms), self.ontology.canonical_value(draft.type, slots)


def asks(text: str, start: int, end: int) -> bool:
    """Whether the sentence around a stretch of text ends with a question mark."""
    if text[start:end].rstrip().endswith(("?", "？")):
        return True
    if _SENTENCE_END.search(text[max(end - 1, start) : end]):
        return False
    return _ASKED.match(text, end) is not None


def _named(slot: SlotDef, value: Any, turn: Turn) -> Any:
    if slot.kind not in PERSONS or not isinstance(value, str):
        return value
    folded = fold(value)
    return turn.speaker if folded in SELF else (turn.addressee or value) if folded in OTHER else value


def _joined(slot: SlotDef, values: list[Any]) -> Any:
    """Several values of one slot: a list, the two ends of a time, or else the first."""
    if slot.kind in LISTS:
        return values
    first = values[0]
    if slot.kind == "interval" and len(values) > 1:
        return {"start": first, "end": values[1]}
    if slot.kind in {"mapping", "interval"} and isinstance(first, str) and first.lstrip().startswith("{"):
        try:
            return json.loads(first)
        except ValueError:
            return first
    return first


def problems_of(read: Sequence[Read]) -> Iterator[str]:
    return (one.problem for one in read if isinstance(one, Unfit))
