"""What is known while one turn is read: who speaks to whom, when, and which names its pronouns may mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmem.model import NOTHING, Act, Draft, Mention
from graphmem.ontology_types import ENTITY_KINDS
from graphmem.ports import Turn
from graphmem.temporal import Interval

EXTRACTOR = "rules"
_ABOUT_TO_SPEAKER = frozenset({"Preference", "EmotionalState", "Goal", "Plan"})


@dataclass(frozen=True, slots=True)
class Timed:
    """A time expression: its characters in the turn and the interval it means."""

    start: int
    end: int
    interval: Interval


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody or something the turn has spoken of; `gender` is "f", "m" or "" where it is not known."""

    name: str
    kind: str = "Person"
    gender: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """When a claim holds and how sure it is."""

    act: Act = "state"
    since: Interval | None = None
    until: Interval | None = None
    confidence: float = 0.85
    reported_by: str | None = None


@dataclass(slots=True)
class Scene:
    """The running state of one turn; readers add what they meet and what they learn."""

    turn: Turn
    find_times: Callable[[str], Sequence[Timed]]
    kinds: Mapping[str, str] = NOTHING
    earlier: Callable[[], Sequence[Named]] = tuple
    """The people named in the turn before, read only when a pronoun finds nobody in this one."""
    mentioned: dict[str, str] = field(default_factory=dict)
    """Every name in the turn with its kind."""
    text: str = ""
    """The piece of the turn that is being read; readers count characters from its start."""
    offset: int = 0
    """Where that piece starts in the turn."""
    named: list[Named] = field(default_factory=list)
    group: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()
    """What the clause before spoke of, for a clause that names no subject."""
    topic: str = ""
    relatives: dict[tuple[str, str], str] = field(default_factory=dict)
    pending: tuple[str, str] | None = None
    """An owner and a relative whose names are still to come: "I have two sisters. They are called …"."""
    drafts: list[Draft] = field(default_factory=list)
    _times: list[Timed] | None = None

    @property
    def speaker(self) -> str:
        return self.turn.speaker

    def meet(self, name: str, kind: str = "Person", gender: str = "") -> None:
        """Take note of a name; the one met last is the first that a pronoun may mean."""
        known = next((item for item in self.named if item.name == name), None)
        if known:
            self.named.remove(known)
            gender = gender or known.gender
            kind = known.kind if known.kind == "Person" else kind
        self.named.append(Named(name, kind, gender))
        if kind != "Pet":
            self.mentioned[name] = kind

    def who(self, gender: str) -> str | None:
        """The person named last whom a pronoun of this gender fits."""
        people = [item for item in reversed(self.named) if item.kind == "Person" and item.name != self.speaker]
        people = people or [item for item in reversed(self.earlier()) if item.kind == "Person" and item.name != self.speaker]
        fitting = [item for item in people if item.gender == gender] if gender else []
        return next((item.name for item in (*fitting, *people) if item.gender in {"", gender}), None)

    @property
    def user(self) -> str:
        """Whom "the user" means: the speaker, unless an assistant speaks."""
        return self.speaker if self.turn.message.role == "user" else self.turn.addressee or "user"

    def relate(self, owner: str, kin: str, name: str) -> None:
        self.relatives[owner, kin] = name

    def relative(self, owner: str, kin: str) -> str | None:
        """The name that the turn gave to somebody's relative."""
        return self.relatives.get((owner, kin))

    def drop_nameless_pets(self) -> None:
        """Where a pet was given its name, "a dog" beside it says nothing more."""
        called = {(owner, name): kin for (owner, kin), name in self.relatives.items()}
        known = {(owner, kin) for (owner, _), kin in called.items()}

        def nameless(draft: Draft) -> bool:
            slots = draft.properties
            return slots.get("relation") == "has_pet" and any(
                owner == slots["subject"] and str(slots["object"]).endswith(kin) for owner, kin in known
            )

        self.drafts[:] = [draft for draft in self.drafts if not nameless(draft)]

    def thing(self) -> str | None:
        return next((item.name for item in reversed(self.named) if item.kind != "Person"), None)

    def times(self, start: int, end: int) -> list[Timed]:
        """The time expressions between two characters of the piece; the whole piece is read once, so that its tense decides."""
        if self._times is None:
            self._times = [
                found for found in self.find_times(self.text) if not _VERSION_LIKE.fullmatch(self.text[found.start : found.end].strip())
            ]
        return [found for found in self._times if found.start < end and found.end > start]

    def learn(self, kind: str, slots: Mapping[str, Any], span: tuple[int, int], held: Held = Held(), **more: Any) -> int:
        """Add one draft; returns its position among the turn's drafts."""
        slots = {key: value for key, value in slots.items() if value is not None}
        start, end = _trim(self.text, *span)
        text = more.pop("text", None) or self.text[start:end]
        mentions = more.pop("mentions", ()) or self._mentions(kind, slots)
        if held.reported_by:
            more["metadata"] = {"reported_by": held.reported_by}
        since, until = held.since, held.until
        draft = Draft(
            type=kind,
            text=text,
            properties=slots,
            act=held.act,
            valid_from=since.start if since else None,
            valid_to=(until.start or until.end) if until else None,
            precision=(since or until or _NO_TIME).precision,
            confidence=held.confidence,
            mentions=mentions,
            evidence=(start + self.offset, end + self.offset),
            extractor=EXTRACTOR,
            **more,
        )
        if not any(_alike(draft, other) for other in self.drafts):
            self.drafts.append(draft)
        return next(index for index, other in enumerate(self.drafts) if _alike(draft, other))

    def _mentions(self, kind: str, slots: Mapping[str, Any]) -> tuple[Mention, ...]:
        found = [Mention(str(slots["subject"]), None, "subject")] if slots.get("subject") else []
        if slots.get("object") and (kind == "Preference" or self.kinds.get(str(slots.get("relation"))) in ENTITY_KINDS):
            found.append(Mention(str(slots["object"]), None, "object"))
        found += [Mention(name, "Person", "involves") for name in slots.get("participants", ())]
        if kind in _ABOUT_TO_SPEAKER and not any(mention.name == self.speaker for mention in found):
            found.append(Mention(self.speaker, "Person", "involves"))
        return tuple(found)

    def read_piece(self, text: str, offset: int) -> None:
        """Go on to another piece of the turn."""
        self.text, self.offset, self._times = text, offset, None

    def fact(  # noqa: PLR0917 — a triple, where it was said, and when it holds
        self, subject: str, relation: str, value: str, span: tuple[int, int], held: Held = Held(), of: str | None = None
    ) -> None:
        """Add one triple."""
        if subject and value and subject.casefold() != value.casefold():
            qualifiers = {"qualifiers": {"of": of}} if of else {}
            self.learn("Fact", {"subject": subject, "relation": relation, "object": value, **qualifiers}, span, held)


_VERSION_LIKE = re.compile(r"\d{1,2}\.\d{1,2}")
_NO_TIME = Interval()


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " \t\n,，;；、":
        start += 1
    while end > start and text[end - 1] in " \t\n,，;；、":
        end -= 1
    return start, end


def _alike(one: Draft, other: Draft) -> bool:
    same = one.type == other.type and one.properties == other.properties and one.act == other.act
    return same and (one.type in {"Fact", "Preference"} or one.text == other.text)
