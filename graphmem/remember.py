"""The write flow of turns: sanitise → episode → extract → writing; one transaction for each group of at most 256 turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Any, TypeAlias

import anyio.to_thread

from graphmem.core.identity import episode_id, relationship_id
from graphmem.core.sanitising import clean
from graphmem.errors import ConfigurationError, ExtractionError, InferenceError, InvalidInput
from graphmem.model import ROLES, Draft, DraftLink, MemoryRecord, Message, Outcome, Relationship, RememberReport, Role, Source
from graphmem.ports import ChangeSet, Clock, Extraction, Extractor, Store, Turn
from graphmem.temporal import aware
from graphmem.writing import Writer

GROUP = 256
_BLANK: Mapping[str, Any] = {name: getattr(Message(""), name) for name in Message.__dataclass_fields__ if name != "text"}
Input: TypeAlias = str | Message | Mapping[str, Any]
Progress: TypeAlias = Callable[[int, int], None]
Screen: TypeAlias = Callable[[str], tuple[str, tuple[str, ...], Mapping[str, Any]]]
SOURCE_OF: Mapping[Role, Source] = {"user": "user", "assistant": "assistant", "tool": "tool", "system": "external"}


@dataclass(frozen=True, slots=True)
class _Turn:
    """A sanitised turn with the id of its episode."""

    id: str
    message: Message
    said_at: datetime
    speaker: str
    turn: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Session:
    """What the store already holds around a group's turns of one session."""

    before: MemoryRecord | None = None
    among: tuple[MemoryRecord, ...] = ()
    after: MemoryRecord | None = None


def to_messages(given: Input | Sequence[Input], defaults: Message) -> list[Message]:
    """Strings, Messages and {"role", "content"} mappings as Messages; what one leaves open the defaults fill."""
    if not isinstance(given, str | Message | Mapping | Sequence):
        raise InvalidInput(
            f"cannot remember {type(given).__name__}; give text, a Message or a mapping with role and content, or a list of these"
        )
    items = [given] if isinstance(given, (str, Message, Mapping)) else list(given)
    return [_to_message(item, defaults) for item in items]


def _to_message(item: Input, defaults: Message) -> Message:
    if isinstance(item, str):
        return replace(defaults, text=item)
    if isinstance(item, Mapping):
        item = _from_mapping(item)
    if not isinstance(item, Message):
        raise InvalidInput(f"cannot remember {type(item).__name__}; give text, a Message or a mapping with role and content")
    filled = {
        name: default for name, blank in _BLANK.items() if (default := getattr(defaults, name)) != blank and getattr(item, name) == blank
    }
    return replace(item, **filled) if filled else item


def _from_mapping(item: Mapping[str, Any]) -> Message:
    content = item.get("content", item.get("text"))
    if isinstance(content, Sequence) and not isinstance(content, str):
        content = "\n".join(part.get("text", "") for part in content if isinstance(part, Mapping))
    known = {name: item[name] for name in Message.__dataclass_fields__ if name in item and name != "text"}
    if "name" in item and "speaker" not in known:
        known["speaker"] = item["name"]
    unknown = set(item) - set(Message.__dataclass_fields__) - {"content", "name", "tool_calls", "tool_call_id", "refusal", "type"}
    if not isinstance(content, str) or unknown:
        allowed = ", ".join(["role", "content", *sorted(Message.__dataclass_fields__)])
        raise InvalidInput(f"a turn needs text under 'content' and knows {allowed}; got {', '.join(sorted(map(str, item)))}")
    if isinstance(known.get("said_at"), str):
        known["said_at"] = _said_at(known["said_at"])
    return Message(content, **known)


def _said_at(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"said_at {text!r} is no time; write ISO 8601 such as 2026-03-10T09:00:00Z") from None


@dataclass(frozen=True, slots=True)
class Rememberer:
    """Remembers turns for any scope; holds what the flow needs from outside."""

    store: Store
    writer: Writer
    clock: Clock
    extractor: Extractor | None
    zone: tzinfo | None = None
    screen: Screen | None = None
    """What is done with personal data in a cleaned text: the text to store, notes, and metadata of its episode."""

    async def remember(
        self, user_id: str, messages: Sequence[Message], *, extract: bool = True, progress: Progress | None = None
    ) -> RememberReport:
        """Commits group by group; a repeated call finds what is there by its ids and goes on with the rest."""
        turns = await self._cleaned(user_id, messages)
        whole = _Gathered()
        for start in range(0, len(turns), GROUP):
            group = turns[start : start + GROUP]
            await self._group(user_id, group, whole, extract=extract)
            if progress is not None:
                progress(start + len(group), len(turns))
        return whole.report()

    async def learn(self, messages: Sequence[Message]) -> list[Draft]:
        """What these turns teach, nothing stored; positions in links count over the whole list."""
        if self.extractor is None:
            raise ConfigurationError("nothing can be learned: extraction is off or not installed; `pip install graphmem[local]`")
        turns = await self._cleaned("", messages)
        asked = [_asked(turn, _heard(before)) for turn, before in zip(turns, [None, *turns], strict=False)]
        drafts: list[Draft] = []
        for turn, extraction in zip(turns, await self.extractor.extract(asked), strict=True):
            drafts += (replace(draft, links=draft.links[:-1]) for draft in _attached(extraction, turn, len(drafts)))
        return drafts

    async def _cleaned(self, user_id: str, messages: Sequence[Message]) -> list[_Turn]:
        """In a thread where texts are screened, since that may load models."""
        if self.screen is None:
            return list(self._turns(user_id, messages))
        return await anyio.to_thread.run_sync(lambda: list(self._turns(user_id, messages)))

    def _turns(self, user_id: str, messages: Sequence[Message]) -> Iterator[_Turn]:
        now, seen = self.clock.now(), Counter[str]()
        for n, message in enumerate(messages):
            if message.role not in ROLES:
                raise InvalidInput(f"unknown role {message.role!r}; allowed: {', '.join(ROLES)}")
            text, notes = clean(message.text)
            marks: Mapping[str, Any] = {}
            if self.screen is not None:
                text, found, marks = self.screen(text)
                notes = (*notes, *found)
            said_at = message.said_at or (now.astimezone(self.zone) if self.zone else now)
            if said_at.tzinfo is None:
                said_at = aware(said_at, self.zone).astimezone(self.zone)
            speaker = (message.speaker or message.role).strip() or message.role
            said = (message.session_id, speaker, message.role, text)
            id_ = message.id or episode_id(user_id, said, said_at)
            seen[id_] += 1
            if seen[id_] > 1 and message.id is None:
                id_ = episode_id(user_id, said, said_at, seen[id_])
            yield _Turn(
                id_,
                replace(message, text=text, metadata={**message.metadata, **marks} if marks else message.metadata),
                said_at,
                speaker,
                n,
                notes,
            )

    async def _group(self, user_id: str, group: Sequence[_Turn], whole: _Gathered, *, extract: bool) -> None:
        known = {memory.id for memory in await self.store.memories(user_id, [turn.id for turn in group])}
        sessions = await self._sessions(user_id, [turn for turn in group if turn.id not in known])
        learned = await self._extract(group, known, sessions, whole) if extract and self.extractor else {}
        before = _predecessors(group, known, sessions)
        place, position = {}, 0
        for turn in group:
            place[turn.id] = position
            position += 1 + len(learned[turn.id].drafts if turn.id in learned else ())
        drafts: list[Draft] = []
        for turn in group:
            drafts.append(_episode(turn, learned.get(turn.id), before.get(turn.id), place))
            drafts += _attached(learned.get(turn.id), turn, len(drafts))
        outcomes = await self.writer.write(user_id, drafts)
        await self._redraw(user_id, group, sessions)
        episodes = set(place.values())
        for n, outcome in enumerate(outcomes):
            whole.add(outcome, is_episode=n in episodes)
        whole.notes += [f"{turn.speaker}, turn {turn.turn}: {note}" for turn in group for note in turn.notes]

    async def _redraw(self, user_id: str, group: Sequence[_Turn], sessions: Mapping[str | None, _Session]) -> None:
        """A turn that arrived late stands between two stored ones: the later of them now follows the new turn."""
        new = {turn.id for turn in group}
        drawn, closed, now = [], {}, self.clock.now()
        for session_id, session in sessions.items():
            order = _ordered(group, session_id, session)
            later = [*session.among, *([session.after] if session.after else [])]
            for episode in later:
                at = next((n for n, id_ in enumerate(order) if id_ == episode.id), len(order))
                if at == 0 or order[at - 1] not in new or episode.id in new:
                    continue
                earlier = next((id_ for id_ in reversed(order[:at]) if id_ not in new), session.before.id if session.before else None)
                drawn.append(_follows(user_id, episode.id, order[at - 1], now))
                if earlier is not None:
                    closed[relationship_id(user_id, episode.id, "FOLLOWS", earlier)] = now
        if drawn:
            await self.store.commit(ChangeSet(user_id=user_id, now=now, relationships=tuple(drawn), closed=closed))

    async def _sessions(self, user_id: str, fresh: Sequence[_Turn]) -> dict[str | None, _Session]:
        """Per session of the group, the stored episodes just before, among and just after its turns."""
        spans: dict[str, tuple[datetime, datetime]] = {}
        for turn in fresh:
            if (session_id := turn.message.session_id) is not None:
                first, last = spans.get(session_id, (turn.said_at, turn.said_at))
                spans[session_id] = min(first, turn.said_at), max(last, turn.said_at)
        around = await self.store.episodes_around(user_id, spans) if spans else {}
        return {session_id: _Session(*around[session_id]) for session_id in spans if session_id in around}

    async def _extract(
        self, group: Sequence[_Turn], known: set[str], sessions: Mapping[str | None, _Session], whole: _Gathered
    ) -> dict[str, Extraction]:
        """What each new turn teaches; a failing extractor costs what it would have taught, never the turn."""
        asked: list[tuple[str, Turn]] = []
        last: dict[str | None, _Turn] = {}
        for turn in group:
            session_id = turn.message.session_id
            stored = sessions.get(session_id, _Session()).before
            heard = _heard(last.get(session_id)) or (stored and stored.speaker and (stored.text, stored.speaker)) or None
            last[session_id] = turn
            if turn.id not in known:
                asked.append((turn.id, _asked(turn, heard)))
        if not asked or self.extractor is None:
            return {}
        try:
            found = await self.extractor.extract([turn for _, turn in asked])
        except (ExtractionError, InferenceError) as error:
            whole.notes.append(f"extraction failed, the turns are stored: {error}")
            return {}
        for extraction in found:
            whole.notes += extraction.notes
            whole.tokens += extraction.tokens
        return {id_: extraction for (id_, _), extraction in zip(asked, found, strict=True)}


@dataclass(slots=True)
class _Gathered:
    """The report while it grows."""

    episodes: list[MemoryRecord] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    episode_outcomes: list[Outcome] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tokens: int = 0

    def add(self, outcome: Outcome, *, is_episode: bool) -> None:
        if not is_episode:
            self.outcomes.append(outcome)
            return
        self.episode_outcomes.append(outcome)
        if outcome.memory is None:
            raise InvalidInput(outcome.why)
        self.episodes.append(outcome.memory)

    def report(self) -> RememberReport:
        return RememberReport(tuple(self.episodes), tuple(self.outcomes), tuple(self.episode_outcomes), tuple(self.notes), self.tokens)


def _since(draft: Draft, said_at: datetime) -> datetime | None:
    """A turn's claims hold from when it was said, but for those that had ended before."""
    return None if draft.valid_to is not None and draft.valid_to < said_at else said_at


def _heard(turn: _Turn | None) -> tuple[str, str] | None:
    return None if turn is None else (turn.message.text, turn.speaker)


def _asked(turn: _Turn, heard: tuple[str, str] | None) -> Turn:
    """The turn for an extractor, with what was `heard` before it: text and speaker."""
    text, speaker = heard or (None, None)
    return Turn(turn.message, turn.said_at, turn.speaker, speaker if speaker != turn.speaker else None, text, speaker)


def _episode(turn: _Turn, extraction: Extraction | None, before: str | None, place: Mapping[str, int]) -> Draft:
    message = turn.message
    links: tuple[DraftLink, ...] = ()
    if before is not None:
        links = (DraftLink("FOLLOWS", target_index=place[before]) if before in place else DraftLink("FOLLOWS", target_id=before),)
    act = {"act": extraction.act} if extraction and extraction.act else {}
    read = {"read_by": extraction.read_by} if extraction and extraction.read_by else {}
    attached = {"attachments": [dict(one) for one in message.attachments]} if message.attachments else {}
    return Draft(
        type="Episode",
        id=turn.id,
        text=message.text,
        properties={"speaker": turn.speaker, "role": message.role, "turn": turn.turn, "said_at": turn.said_at, **act},
        valid_from=turn.said_at,
        precision="second",
        source=message.source or SOURCE_OF[message.role],
        session_id=message.session_id,
        task_id=message.task_id,
        agent_id=message.agent_id,
        metadata={**message.metadata, **attached, **read},
        links=links,
    )


def _attached(extraction: Extraction | None, turn: _Turn, at: int) -> Iterator[Draft]:
    """The drafts of one turn, positions made absolute, tied to the episode that stands just before them."""
    message = turn.message
    for draft in extraction.drafts if extraction else ():
        links = tuple(replace(link, target_index=link.target_index + at) if link.target_index is not None else link for link in draft.links)
        yield replace(
            draft,
            links=(*links, DraftLink("DERIVED_FROM", target_index=at - 1)),
            valid_from=draft.valid_from or _since(draft, turn.said_at),
            source=draft.source or message.source or SOURCE_OF[message.role],
            session_id=draft.session_id or message.session_id,
            task_id=draft.task_id or message.task_id,
            agent_id=draft.agent_id or message.agent_id,
        )


def _ordered(group: Sequence[_Turn], session_id: str | None, session: _Session) -> list[str]:
    """Ids of a session's turns from the group's first to its last, stored ones among them, by (said_at, turn, id)."""
    mine = {turn.id: (turn.said_at, turn.turn, turn.id) for turn in group if turn.message.session_id == session_id}
    stored = {memory.id: (said_at(memory), memory.properties.get("turn", 0), memory.id) for memory in session.among}
    return [id_ for _, _, id_ in sorted((mine | stored).values())]


def _predecessors(group: Sequence[_Turn], known: set[str], sessions: Mapping[str | None, _Session]) -> dict[str, str]:
    """For each new turn the id of the episode before it in its session."""
    before: dict[str, str] = {}
    for session_id, session in sessions.items():
        previous = session.before.id if session.before else None
        stored = {memory.id for memory in session.among} | known
        for id_ in _ordered(group, session_id, session):
            if previous is not None and id_ not in stored:
                before[id_] = previous
            previous = id_
    return before


def _follows(user_id: str, later: str, earlier: str, now: datetime) -> Relationship:
    id_ = relationship_id(user_id, later, "FOLLOWS", earlier)
    return Relationship(id=id_, user_id=user_id, source_id=later, type="FOLLOWS", target_id=earlier, recorded_at=now)


def said_at(memory: MemoryRecord) -> datetime:
    found = memory.said_at or memory.valid_from
    if found is None:
        raise InvalidInput(f"episode {memory.id} has no time")
    return found
