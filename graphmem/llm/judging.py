"""Important memories rechecked by a language model against the turns that they cite: times, numbers, who and what."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from graphmem.errors import InferenceError, InvalidModelOutput
from graphmem.filters import And, Compare, Filter
from graphmem.llm.prompting import LONGEST, system_prompt
from graphmem.llm.stored import sources_of
from graphmem.model import SHOWN, MemoryRecord
from graphmem.ontology import Ontology
from graphmem.ports import Clock, LanguageModel, Selection, Store
from graphmem.temporal import iso
from graphmem.writing import Writer
from graphmem.writing_batch import ODDS, weighed

Progress: TypeAlias = Callable[[int, int], None]
Verdict: TypeAlias = Literal["right", "wrong", "unsure"]
FACTOR: Mapping[str, float] = MappingProxyType({"right": 1.0, "unsure": 1.0, "wrong": 0.1})
"""What a verdict does to the odds of a memory's confidence: wrong takes .8 to .29."""
IMPORTANT = 0.6
BATCH = 12
JUDGED, JUDGED_BY, PROBLEM = "judged", "judged_by", "judged_problem"
"""Metadata: the last verdict, the model that gave it, and what it found wrong."""


@dataclass(frozen=True, slots=True)
class Judgement:
    memory: MemoryRecord
    """As it is after the verdict."""
    verdict: Verdict
    problem: str = ""


@dataclass(frozen=True, slots=True)
class JudgeReport:
    judgements: tuple[Judgement, ...] = ()
    notes: tuple[str, ...] = ()
    tokens: int = 0

    @property
    def wrong(self) -> tuple[Judgement, ...]:
        return tuple(one for one in self.judgements if one.verdict == "wrong")


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    number: int
    verdict: Verdict
    problem: str


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    verdicts: list[_Given]


@dataclass(frozen=True, slots=True)
class Judge:
    store: Store
    writer: Writer
    clock: Clock
    ontology: Ontology
    model: LanguageModel

    async def judge(self, user_id: str, where: Filter | None, progress: Progress | None = None) -> JudgeReport:
        """Each memory once per model, the most important first; a call that was stopped goes on with those not judged yet."""
        selection = self._selection(where)
        total, seen, cursor = sum((await self.store.count(user_id, selection)).values()), 0, None
        report = JudgeReport()
        while True:
            page, cursor = await self.store.select(user_id, selection, order="importance", limit=BATCH, after=cursor)
            sources = await sources_of(self.store, user_id, [one.id for one in page])
            cited = [(one, sources[one.id]) for one in page if one.id in sources]
            if cited:
                try:
                    report = _joined(report, await self._batch(user_id, cited))
                except InferenceError as error:
                    stopped = f"stopped after {seen} of {total} memory(ies), call judge again to go on: {error}"
                    return replace(report, notes=(*report.notes, stopped))
            seen += len(page)
            if progress is not None:
                progress(seen, total)
            if cursor is None:
                return report

    def _selection(self, where: Filter | None) -> Selection:
        parts: list[Filter] = [Compare("type", "$ne", "Episode"), Compare(f"metadata.{JUDGED_BY}", "$ne", self.model.model_id)]
        parts.append(where if where is not None else Compare("importance", "$gte", IMPORTANT))
        return Selection(at=self.clock.now(), states=SHOWN, where=And(tuple(parts)))

    async def _batch(self, user_id: str, cited: Sequence[tuple[MemoryRecord, MemoryRecord]]) -> JudgeReport:
        given, tokens, problem = await self._asked(cited)
        verdicts = {one.number: one for one in given if 0 <= one.number < len(cited)}
        notes = (f"{self.model.model_id} gave no verdict on {len(cited) - len(verdicts)} memory(ies): {problem}",) if problem else ()
        judged = await self._kept(user_id, {cited[number][0].id: one for number, one in verdicts.items()})
        return JudgeReport(tuple(judged), notes, tokens)

    async def _asked(self, cited: Sequence[tuple[MemoryRecord, MemoryRecord]]) -> tuple[Sequence[_Given], int, str]:
        """Asked once more where the answer does not fit; the problem that is left, or ""."""
        system = system_prompt("judge", [episode.text for _, episode in cited], self.ontology)
        user = json.dumps({"memories": list(self._shown(cited))}, ensure_ascii=False, default=str)
        tokens, problem = 0, ""
        for _ in range(2):
            try:
                asked = f"{user}\n\nYour last answer was refused: {problem}" if problem else user
                answer, spent = await self.model.complete(system, asked, _Answer.model_json_schema())
                tokens += spent
                given = _Answer.model_validate(answer).verdicts
            except InvalidModelOutput as error:
                tokens, problem = tokens + error.tokens, str(error)
            except ValidationError as error:
                problem = str(error.errors()[0]["msg"])
            else:
                missing = len(cited) - len({one.number for one in given} & set(range(len(cited))))
                return given, tokens, f"{missing} number(s) are missing" if missing else ""
        return (), tokens, problem

    def _shown(self, cited: Sequence[tuple[MemoryRecord, MemoryRecord]]) -> Iterator[dict[str, Any]]:
        for number, (memory, episode) in enumerate(cited):
            said_at = episode.said_at or episode.valid_from
            yield {
                "number": number,
                "turn": {
                    "speaker": episode.speaker,
                    "said_at": said_at.isoformat() if said_at else None,
                    "text": episode.text[:LONGEST],
                },
                "memory": {
                    "type": memory.type,
                    "text": memory.text,
                    "slots": self.ontology.to_json(memory.properties),
                    "valid_from": iso(memory.valid_from),
                    "valid_to": iso(memory.valid_to),
                },
            }

    async def _kept(self, user_id: str, verdicts: Mapping[str, _Given]) -> list[Judgement]:
        """Mark the memories; a verdict of wrong lowers the confidence, and a later one takes that back."""
        if not verdicts:
            return []

        async def attempt() -> list[Judgement]:
            batch = await self.writer.opened(user_id, list(verdicts))
            for id_, given in verdicts.items():
                batch.put(self._marked(batch.records[id_], given), index=False)
            await self.writer.commit(batch)
            return [Judgement(batch.records[id_], given.verdict, given.problem) for id_, given in verdicts.items()]

        return await self.writer.retrying(attempt)

    def _marked(self, record: MemoryRecord, given: _Given) -> MemoryRecord:
        factor = FACTOR[given.verdict] / FACTOR.get(str(record.metadata.get(JUDGED)), 1.0)
        metadata = {**record.metadata, JUDGED: given.verdict, JUDGED_BY: self.model.model_id}
        metadata.pop(PROBLEM, None)
        if given.problem:
            metadata[PROBLEM] = given.problem
        if factor != 1.0:
            metadata[ODDS] = round(record.metadata.get(ODDS, 1.0) * factor, 6)
        return replace(record, metadata=metadata, confidence=weighed(record.confidence, factor))


def _joined(one: JudgeReport, other: JudgeReport) -> JudgeReport:
    return JudgeReport((*one.judgements, *other.judgements), (*one.notes, *other.notes), one.tokens + other.tokens)
