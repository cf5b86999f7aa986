"""What becomes of each draft: a new memory, a known one said again, a newer value, a dispute, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.core.claims import Claim, ask, plain_id, task_key
from graphmem.core.identity import relationship_id
from graphmem.core.reconciliation import Decision
from graphmem.core.resolution import Resolution
from graphmem.core.tasks import is_open, refusal
from graphmem.core.timeline import Segment
from graphmem.core.tokens import search_tokens
from graphmem.model import (
    Added,
    Disputed,
    DraftLink,
    EntityRef,
    Ignored,
    MemoryRecord,
    Outcome,
    Policy,
    Reinforced,
    Rejected,
    Statement,
    StoredState,
    Superseded,
)
from graphmem.temporal import FAR_PAST, iso
from graphmem.text import fold
from graphmem.writing_batch import CONTRADICTS, SUPERSEDES, Batch
from graphmem.writing_links import close_plain, supersede
from graphmem.writing_prepare import EPISODE, Prepared

STORED: Mapping[str, StoredState] = {"superseded": "superseded", "disputed": "disputed", "invalid": "invalid", "archived": "archived"}


@dataclass(frozen=True, slots=True)
class Fate:
    """What was decided of one draft, in ids; turned into an Outcome when the records are final."""

    kind: type[Added | Reinforced | Superseded | Disputed | Ignored]
    memory_id: str
    why: str
    others: tuple[str, ...] = ()


@dataclass(slots=True)
class Decider:
    """Folds drafts into a batch in their order. `claims` are read off the drafts beforehand; `policy` is the call's, `default` the store's."""

    batch: Batch
    prepared: Sequence[Prepared | Rejected]
    claims: Sequence[Claim | None]
    resolution: Resolution
    policy: Policy | None
    default: Policy
    tasks: Sequence[str] = ()
    """Ids of open goals, plans, steps and events that a hint may name."""
    wrong: str | None = None
    """Id of the memory that the (single) draft corrects; None: whatever holds."""
    fates: list[Fate | Rejected] = field(default_factory=list)
    episodes: dict[int, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)

    def decide(self) -> None:
        for number, one in enumerate(self.prepared):
            self.fates.append(one if isinstance(one, Rejected) else self._decide(number, one))
            fate = self.fates[-1]
            if isinstance(one, Prepared) and isinstance(fate, Fate) and one.draft.id and fate.memory_id != one.draft.id:
                self.renamed[one.draft.id] = fate.memory_id

    def _decide(self, number: int, one: Prepared) -> Fate | Rejected:
        if one.draft.id is not None and (old := self.batch.records.get(one.draft.id)) is not None:
            return self._same_id(one, old)
        if (claim := self.claims[number]) is not None:
            return self._claim(number, one, claim)
        if one.type == EPISODE:
            return self._added(one, one.draft.id or plain_id(self.batch.user_id, one.type, (one.text, iso(one.valid_from))), None)
        kind = self.batch.ontology.type(one.type)
        if kind.keyed and (one.draft.id is None or one.draft.update):
            return self._task(one)
        standing = None if kind.decays or kind.keyed else f"{one.type}|{fold(one.text)}"
        return self._plain(one, standing)

    # ── what claims nothing ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _same_id(self, one: Prepared, old: MemoryRecord) -> Fate | Rejected:
        if (old.type, old.text) == (one.type, one.text):
            return Fate(Ignored, old.id, "the same is stored already")
        return Rejected(f"a memory {old.id!r} is stored with another text or type; `correct` changes it", one.draft)

    def _plain(self, one: Prepared, standing: str | None) -> Fate | Rejected:
        """Take an instruction or rule said again as the same one, an observation as one of its moment."""
        parts = (fold(one.text), self.batch.ontology.to_json(one.properties), iso(one.valid_from), one.draft.session_id)
        made = one.draft.id or plain_id(self.batch.user_id, one.type, parts)
        if (old := self.batch.records.get(made)) is not None:
            return Fate(Ignored, old.id, "the same is stored already")
        if standing is not None and one.draft.id is None:
            known = [m for m in self.batch.records.values() if m.key == standing and m.stored_state == "current"]
            if known:
                self._reinforce(known[0], one)
                return Fate(Reinforced, known[0].id, "said again")
        return self._added(one, made, standing)

    def _added(self, one: Prepared, memory_id: str, key: str | None) -> Fate:
        if memory_id in self.batch.records:
            return Fate(Ignored, memory_id, "the same is stored already")
        record = self._record(one, memory_id, key, None)
        state = one.draft.state
        if state is not None:
            over = record.valid_to or (
                one.draft.superseded_at or max(self.batch.now, one.valid_from) if state in {"superseded", "expired"} else None
            )
            record = replace(record, stored_state=STORED.get(state, "current"), valid_to=over, superseded_at=one.draft.superseded_at)
        self.batch.put(record, index=record.stored_state != "archived")
        targets = [] if one.type == EPISODE else self._targets(one)
        for target in targets:
            close_plain(self.batch, target, one.valid_from)
        return (
            Fate(Superseded, memory_id, "it says what it takes the place of", tuple(targets)) if targets else Fate(Added, memory_id, "new")
        )

    def _record(self, one: Prepared, memory_id: str, key: str | None, value: str | None) -> MemoryRecord:
        draft = one.draft
        return MemoryRecord(
            id=memory_id,
            user_id=self.batch.user_id,
            type=one.type,
            text=one.text,
            summary=draft.summary,
            properties=one.properties,
            valid_from=one.valid_from,
            valid_to=one.valid_to,
            precision=draft.precision,
            recorded_at=one.recorded_at,
            source=one.source,
            confidence=one.confidence,
            importance=0.5 if draft.importance is None else draft.importance,
            session_id=draft.session_id,
            task_id=draft.task_id,
            agent_id=draft.agent_id,
            refs=self.refs(one),
            keywords=draft.keywords,
            location=draft.location,
            reason=draft.reason,
            purpose=draft.purpose,
            pinned=draft.pinned,
            metadata=one.metadata,
            key=key,
            value=value,
        )

    def refs(self, one: Prepared) -> tuple[EntityRef, ...]:
        named = {(self.resolution.of(mention.name).id, mention.role): mention for mention in reversed(list(one.names))}
        return tuple(EntityRef(id_, mention.name, role) for (id_, role), mention in reversed(named.items()))

    def _reinforce(self, old: MemoryRecord, one: Prepared) -> None:
        """Said again: it grows stronger and takes on what the new saying knows besides."""
        slots = dict(old.properties)
        if isinstance(strength := slots.get("strength"), int | float):
            slots["strength"] = round(strength + (1 - strength) / 5, 4)
        refs = dict.fromkeys((*old.refs, *(ref for ref in self.refs(one) if (ref.id, ref.role) not in {(r.id, r.role) for r in old.refs})))
        renewed = replace(
            old,
            properties=slots if slots != old.properties else old.properties,
            reinforcements=old.reinforcements + 1,
            strength=round(min(2.0, old.strength + 0.1), 4),
            last_accessed_at=max(filter(None, (old.last_accessed_at, one.recorded_at))),
            refs=tuple(refs),
            keywords=tuple(dict.fromkeys((*old.keywords, *one.draft.keywords))),
        )
        self.batch.put(renewed, index=False)

    # ── goals, plans, steps, events ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _task(self, one: Prepared) -> Fate | Rejected:
        key = task_key(one.type, one.text, [ref.id for ref in self.refs(one) if ref.role != "mentions"])
        known = self._named(one) if one.draft.update or one.draft.hint else None
        if known is None and not one.draft.update:
            known = self._open([m for m in self.batch.records.values() if m.key == key])
        if known is not None:
            return self._change(known, one)
        if one.draft.update:
            return Rejected(f"nothing open is called {one.draft.hint or one.text!r}, or more than one thing is", one.draft)
        parts = (key, iso(one.valid_from))
        return self._added(one, plain_id(self.batch.user_id, one.type, parts), key)

    def _open(self, candidates: Sequence[MemoryRecord]) -> MemoryRecord | None:
        alive = [m for m in candidates if m.stored_state == "current" and is_open(self.batch.ontology, m.type, m.properties.get("status"))]
        return alive[0] if len(alive) == 1 else None

    def _named(self, one: Prepared) -> MemoryRecord | None:
        """Find the one open task or event that the hint names; those of the same task or session come first."""
        words = set(search_tokens(one.draft.hint or one.text))
        recent = [
            self.batch.records[i]
            for i in (*self.tasks, *(f.memory_id for f in self.fates if isinstance(f, Fate)))
            if i in self.batch.records
        ]
        kinds = self.batch.ontology
        named = {m.id: m for m in recent if kinds.type(m.type).keyed and words and words <= set(search_tokens(m.text))}
        near: Callable[[MemoryRecord], bool]
        for near in (
            lambda m: m.type == one.type and self._together(m, one),
            lambda m: self._together(m, one),
            lambda m: m.type == one.type,
            lambda _: True,
        ):
            if (found := self._open([m for m in named.values() if near(m)])) is not None:
                return found
        return None

    @staticmethod
    def _together(memory: MemoryRecord, one: Prepared) -> bool:
        draft = one.draft
        return bool((draft.task_id and draft.task_id == memory.task_id) or (draft.session_id and draft.session_id == memory.session_id))

    def _change(self, old: MemoryRecord, one: Prepared) -> Fate | Rejected:
        """Slots that the draft states differ from the stored ones; a status moves along its state machine."""
        defaults = {name: slot.default for name, slot in self.batch.ontology.type(one.type).slots.items()}
        told = {k: v for k, v in one.properties.items() if k in one.draft.properties or v != defaults.get(k)}
        changed = {k: v for k, v in told.items() if old.properties.get(k) != v}
        if "status" in changed and (
            why := refusal(self.batch.ontology, old.type, old.properties.get("status"), changed["status"], one.draft.reason)
        ):
            return Rejected(why, one.draft)
        self._reinforce(old, one)
        if not changed:
            return Fate(Reinforced, old.id, "said again")
        renewed = self.batch.records[old.id]
        self.batch.put(
            replace(renewed, properties={**renewed.properties, **changed}, reason=one.draft.reason or renewed.reason), index=True
        )
        return Fate(Reinforced, old.id, f"the same {old.type}, changed: {', '.join(sorted(changed))}")

    # ── claims ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _claim(self, number: int, one: Prepared, claim: Claim) -> Fate | Rejected:
        for side in filter(None, (claim, claim.mirrored)):
            self.batch.govern(side.key, side.rules, one.type)
        mirrored = claim.mirrored
        if mirrored is not None and not self._stands(claim) and self._stands(mirrored):
            claim = mirrored
        draft, episode = one.draft, self.episodes.get(number)
        shape = (draft.act, iso(one.valid_from), iso(one.valid_to), one.source)
        id_, there = self.batch.statement_id(claim.key, claim.value, shape, episode, one.recorded_at)
        if there:
            return self._stated(claim, id_)
        statement = Statement(
            id=id_,
            user_id=self.batch.user_id,
            key=claim.key,
            value=claim.value,
            memory_id="",
            act=draft.act,
            valid_from=one.valid_from,
            valid_to=one.valid_to,
            precision=draft.precision,
            source=one.source,
            confidence=one.confidence,
            policy=self.policy or claim.policy or self.default,
            episode_id=episode,
            recorded_at=one.recorded_at,
            properties={"state": draft.state} if draft.state in {"superseded", "disputed", "invalid"} else {},
        )
        if one.draft.state in {"superseded", "expired"} and one.valid_to is None:
            statement = replace(statement, valid_to=one.draft.superseded_at or max(self.batch.now, one.valid_from))
        fallen: tuple[str, ...] = ()
        if draft.act == "correct":
            statement, fallen = self._correcting(statement, one.type)
        targets = supersede(self.batch, self._targets(one), statement)
        decision = self.batch.tell(statement, one.type, draft.id)
        if decision.kind in {"rejected", "ignored"}:
            return Rejected(decision.why, draft)
        fate = self._carried(one, claim, decision)
        if fallen:
            return replace(fate, kind=Superseded, others=fallen, why="a correction")
        others = tuple(dict.fromkeys((*fate.others, *targets)))
        return replace(fate, kind=Superseded, others=others, why="it says what it takes the place of") if targets else fate

    def _targets(self, one: Prepared) -> list[str]:
        """Ids of what the draft says that it supersedes."""
        return [target for link in one.links if link.type == SUPERSEDES and (target := self.target(link)) is not None]

    def target(self, link: DraftLink) -> str | None:
        """Where a relationship leads, once that draft is decided; None where it was refused."""
        if link.target_index is None:
            return self.renamed.get(link.target_id or "", link.target_id)
        fate = self.fates[link.target_index] if link.target_index < len(self.fates) else None
        return fate.memory_id if isinstance(fate, Fate) else None

    def _stands(self, claim: Claim) -> bool:
        return any(one.value == claim.value and one.stored_state in {"current", "disputed"} for one in self.batch.segments[claim.key])

    def _stated(self, claim: Claim, statement_id: str) -> Fate | Rejected:
        """Answer for an episode that has said the same before."""
        segment = next((one for one in self.batch.segments[claim.key] if statement_id in one.statements), None)
        told = next(one for one in self.batch.ledgers[claim.key].statements if one.id == statement_id)
        return Fate(Ignored, segment.memory_id if segment else told.memory_id, "the same source has said so already")

    def _correcting(self, statement: Statement, type_: str) -> tuple[Statement, tuple[str, ...]]:
        """Give a correction the place, and the beginning, of the value that holds; also the ids of what falls under another key."""
        meant = self.batch.records.get(self.wrong) if self.wrong else None
        if meant is not None and meant.key is not None and meant.key != statement.key:
            gone = next((one.statements for one in self.batch.segments[meant.key] if one.memory_id == meant.id), ())
            self.batch.retract(meant.key, gone, type_)
            return replace(statement, valid_from=meant.valid_from or statement.valid_from, precision=meant.precision), (meant.id,)
        held = [one for one in self.batch.segments[statement.key] if one.value != statement.value]
        if meant is None:
            held = [one for one in held if one.stored_state in {"current", "disputed"}]
        else:
            held = [one for one in held if one.memory_id == meant.id]
        wrong = max(held, key=lambda one: one.valid_from or FAR_PAST, default=None)
        if wrong is None:
            return statement, ()
        corrects = {"corrects": wrong.statements}
        return replace(statement, valid_from=wrong.valid_from or statement.valid_from, precision=wrong.precision, properties=corrects), ()

    def _carried(self, one: Prepared, claim: Claim, decision: Decision) -> Fate:
        segment = decision.segment
        memory_id = decision.statement.memory_id
        old = self.batch.records.get(memory_id)
        if old is None:
            record = self._record(one, memory_id, claim.key, claim.value)
            hot = one.draft.state != "archived"
            self.batch.put(record, index=hot)
            if not hot:
                self.batch.archived.add(memory_id)
        else:
            self._again(old, one, segment)
        kinds = {"added": Added, "reinforced": Reinforced, "superseded": Superseded, "disputed": Disputed}
        why = "stated again after it was retracted" if decision.kind == "added" and old is not None else decision.why
        return Fate(kinds[decision.kind], memory_id, why, decision.others)

    def _again(self, old: MemoryRecord, one: Prepared, segment: Segment | None) -> None:
        if one.draft.act != "end":
            self._reinforce(old, one)
        revived = old.stored_state in {"archived", "invalid"} and segment is not None
        if revived and segment is not None:
            self.batch.put(replace(self.batch.records[old.id], stored_state=segment.stored_state), index=True)

    # ── outcomes ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def outcomes(self) -> list[Outcome]:
        """Fates as outcomes, with the records as they have become."""
        return [self._outcome(fate) for fate in self.fates]

    def _outcome(self, fate: Fate | Rejected) -> Outcome:
        if isinstance(fate, Rejected):
            return fate
        memory = self.batch.records[fate.memory_id]
        others = tuple(self.batch.records[i] for i in fate.others if i in self.batch.records)
        if fate.kind is Disputed and others:
            sides = sorted((memory.id, others[0].id))
            conflict = relationship_id(self.batch.user_id, sides[0], CONTRADICTS, sides[1])
            return Disputed(memory, others[0], ask(self.batch.ontology, [*others, memory]), conflict, fate.why)
        if fate.kind is Superseded:
            return Superseded(memory, others, fate.why)
        simple: type[Added | Reinforced | Ignored] = fate.kind if fate.kind in {Added, Reinforced, Ignored} else Added
        return simple(memory, fate.why)
