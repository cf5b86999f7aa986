"""Stored turns sent to a language model later, in batches that are each kept; a call that was stopped goes on where it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

from graphmem.core.identity import content_id
from graphmem.errors import InferenceError
from graphmem.filters import And, Compare, Filter, Not
from graphmem.llm.extractor import BATCH, ROLES, LlmExtractor, batches
from graphmem.llm.stored import as_draft, as_turns, learned_from
from graphmem.model import SHOWN, Draft, DraftLink, MemoryRecord, Outcome, RememberReport
from graphmem.ontology import Ontology
from graphmem.ports import Clock, Extraction, LanguageModel, Selection, Store
from graphmem.temporal import iso, to_moment
from graphmem.writing import Writer

Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class _Job:
    """Where a run stands: it reads what was recorded in (`since`, `started`], oldest said first, and has come to `after`."""

    since: datetime | None
    started: datetime
    after: str | None = None
    done: int = 0

    def note(self) -> dict[str, Any]:
        return {"since": iso(self.since), "started": iso(self.started), "after": self.after, "done": self.done}


@dataclass(frozen=True, slots=True)
class Enricher:
    store: Store
    writer: Writer
    clock: Clock
    ontology: Ontology
    model: LanguageModel

    async def enrich(self, user_id: str, where: Filter | None, progress: Progress | None = None) -> RememberReport:
        """The turns sent and what they added; turns that this model read when they came in, or in an earlier run, are not sent again."""
        extractor = LlmExtractor(None, self.model, self.ontology)
        name = content_id("enrich", extractor.name, repr(where))
        job = self._job(await self.store.note(user_id, name))
        selection = self._selection(job, where, extractor.name)
        total = sum((await self.store.count(user_id, selection)).values())
        whole = RememberReport(())
        while job.done < total or job.after is not None:
            page, after = await self.store.select(user_id, selection, order="oldest", limit=BATCH, after=job.after)
            try:
                whole = _joined(whole, await self._page(user_id, page, extractor))
            except InferenceError as error:
                stopped = f"stopped after {job.done} of {total} turn(s), call enrich again to go on: {error}"
                return replace(whole, notes=(*whole.notes, stopped))
            job = replace(job, after=after, done=job.done + len(page))
            await self.store.set_note(user_id, name, job.note())
            if progress is not None:
                progress(job.done, total)
            if after is None:
                break
        await self.store.set_note(user_id, name, _Job(job.started, job.started).note())
        return whole

    def _job(self, kept: Any) -> _Job:
        """The kept run where it was stopped, else a new one of what came in since."""
        now = self.clock.now()
        if kept is None:
            return _Job(None, now)
        since = None if kept["since"] is None else to_moment(kept["since"])
        if kept["after"] is None:
            return _Job(since, now)
        return _Job(since, to_moment(kept["started"]), kept["after"], kept["done"])

    def _selection(self, job: _Job, where: Filter | None, reader: str) -> Selection:
        parts: list[Filter] = [
            Compare("type", "$eq", "Episode"),
            Compare("role", "$in", tuple(sorted(ROLES))),
            Compare("recorded_at", "$lte", job.started),
            Not(Compare("metadata.read_by", "$eq", reader)),
        ]
        if job.since is not None:
            parts.append(Compare("recorded_at", "$gt", job.since))
        if where is not None:
            parts.append(where)
        return Selection(at=self.clock.now(), states=SHOWN, where=And(tuple(parts)))

    async def _page(self, user_id: str, page: Sequence[MemoryRecord], extractor: LlmExtractor) -> RememberReport:
        turns = await as_turns(self.store, user_id, page)
        known = await learned_from(self.store, self.clock, user_id, [one.id for one in page])
        have = [[as_draft(memory) for memory in known[one.id]] for one in page]
        whole = RememberReport(tuple(page))
        for batch in batches([(number, turn) for number, turn in enumerate(turns) if extractor.reads(turn)]):
            found = await extractor.ask([turn for _, turn in batch], [have[number] for number, _ in batch])
            drafts = [draft for (number, _), gap in zip(batch, found, strict=True) for draft in _derived(gap, page[number])]
            outcomes: Sequence[Outcome] = await self.writer.write(user_id, drafts) if drafts else ()
            notes = [note for gap in found for note in gap.notes]
            whole = _joined(whole, RememberReport((), tuple(outcomes), (), tuple(notes), sum(gap.tokens for gap in found)))
        return whole


def _derived(gap: Extraction, episode: MemoryRecord) -> list[Draft]:
    """The drafts of one turn, placed where and when it was said."""
    return [
        replace(
            draft,
            links=(*draft.links, DraftLink("DERIVED_FROM", target_id=episode.id)),
            valid_from=draft.valid_from or episode.said_at or episode.valid_from,
            source=episode.source,
            session_id=episode.session_id,
            task_id=episode.task_id,
            agent_id=episode.agent_id,
        )
        for draft in gap.drafts
    ]


def _joined(one: RememberReport, other: RememberReport) -> RememberReport:
    return RememberReport(
        (*one.episodes, *other.episodes), (*one.outcomes, *other.outcomes), (), (*one.notes, *other.notes), one.tokens + other.tokens
    )
