"""LlmExtractor: rules first, then a language model fills their gaps; whatever the model does, the rules' result stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import anyio

from graphmem.errors import ConfigurationError, InferenceError, InvalidModelOutput
from graphmem.llm.answers import Passed, Read, Reader, Unfit, problems_of, schema_of, shaped
from graphmem.llm.prompting import LONGEST, system_prompt, turns_as_json
from graphmem.model import Draft
from graphmem.ontology import Ontology
from graphmem.ports import Extraction, Extractor, LanguageModel, Turn

BATCH = 16
CHARACTERS = 12_000
"""Turns and characters that go into one call."""
AT_ONCE = 4
"""Calls under way at the same time."""
ROLES = frozenset({"user", "assistant"})
"""Roles that a model reads; system turns carry instructions and recalled memories, which are not learned again, and tools' output is data."""
EMPTY_ACTS = frozenset({"greet", "thank", "acknowledge", "apologise"})
"""A short turn of such an act teaches nothing."""
SHORTEST = 24
TOLD = 5
"""Problems that a retry names."""


@dataclass(slots=True)
class _Run:
    """One call of `extract` while its batches are under way."""

    gaps: dict[int, Extraction] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    failure: str | None = None
    unread: int = 0


class LlmExtractor:
    """Gives each turn the rules' drafts with the model's behind them; `rules` None leaves all to the model."""

    def __init__(self, rules: Extractor | None, model: LanguageModel, ontology: Ontology) -> None:
        self._rules, self._model, self._ontology = rules, model, ontology

    @property
    def name(self) -> str:
        return f"llm:{self._model.model_id}"

    async def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
        """One extraction a turn, in order; after a call that failed the model is not asked for the rest, and the notes say so."""
        base = await self._rules.extract(turns) if self._rules is not None else [Extraction() for _ in turns]
        wanted = [number for number, turn in enumerate(turns) if self.reads(turn, base[number].act)]
        run, limiter = _Run(), anyio.CapacityLimiter(AT_ONCE)
        async with anyio.create_task_group() as group:
            for batch in batches([(number, turns[number]) for number in wanted]):
                group.start_soon(self._fill, run, limiter, [(number, turn, base[number].drafts) for number, turn in batch])
        if run.failure is not None:
            run.notes.append(f"{self.name} did not read {run.unread} turn(s), the rules' result stands: {run.failure}")
        merged = [_merged(one, run.gaps.get(number)) for number, one in enumerate(base)]
        if run.notes and merged:
            merged[0] = replace(merged[0], notes=(*merged[0].notes, *run.notes))
        return merged

    @staticmethod
    def reads(turn: Turn, act: str | None = None) -> bool:
        """Whether a model can learn from it: somebody's words, and more of them than a greeting."""
        text = turn.message.text.strip()
        return turn.message.role in ROLES and not (act in EMPTY_ACTS and len(text) <= SHORTEST) and any(map(str.isalpha, text))

    async def _fill(self, run: _Run, limiter: anyio.CapacityLimiter, batch: Sequence[tuple[int, Turn, Sequence[Draft]]]) -> None:
        async with limiter:
            if run.failure is not None:
                run.unread += len(batch)
                return
            try:
                found = await self.ask([turn for _, turn, _ in batch], [drafts for _, _, drafts in batch])
            except (InferenceError, ConfigurationError) as error:
                run.failure = run.failure or str(error)
                run.unread += len(batch)
            else:
                run.gaps |= {number: gap for (number, _, _), gap in zip(batch, found, strict=True)}

    async def ask(self, turns: Sequence[Turn], known: Sequence[Sequence[Draft]]) -> list[Extraction]:
        """One batch: what the model adds to each turn; InferenceError where it cannot be asked at all.

        An answer that does not fit is asked for once more with the problem said. Then what fits is taken and the notes say what did not.
        """
        system = system_prompt("extract", [turn.message.text for turn in turns], self._ontology)
        user = turns_as_json(turns, known, self._ontology)
        reader = Reader(self._ontology, turns, known, self.name)
        tokens, best, problem = 0, None, ""
        for _ in range(2):
            try:
                asked = f"{user}\n\nYour last answer was refused: {problem}\nAnswer again, complete and corrected." if problem else user
                answer, spent = await self._model.complete(system, asked, schema_of(self._ontology))
                tokens += spent
                best = reader.read(shaped(answer))
            except InvalidModelOutput as error:
                tokens += error.tokens
                problem = str(error)
                continue
            except InferenceError as error:
                if best is None:
                    raise
                problem = str(error)
                break
            problem = "; ".join(list(problems_of(best))[:TOLD])
            if not problem:
                break
        return _extractions(len(turns), best, tokens, list(_notes(self.name, turns, best, problem)), self.name)


def batches(turns: Sequence[tuple[int, Turn]]) -> Iterator[list[tuple[int, Turn]]]:
    """Neighbours together, as many as fit one call."""
    batch: list[tuple[int, Turn]] = []
    size = 0
    for number, turn in turns:
        length = min(len(turn.message.text), LONGEST)
        if batch and (len(batch) == BATCH or size + length > CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append((number, turn))
        size += length
    if batch:
        yield batch


def _extractions(count: int, read: Sequence[Read] | None, tokens: int, notes: Sequence[str], name: str) -> list[Extraction]:
    drafts: list[list[Draft]] = [[] for _ in range(count)]
    for one in read or ():
        if isinstance(one, tuple):
            drafts[one[0]].append(one[1])
    read_by = name if read is not None else None
    found = [Extraction(tuple(mine), read_by=read_by) for mine in drafts]
    found[0] = replace(found[0], notes=tuple(notes), tokens=tokens)
    return found


def _notes(name: str, turns: Sequence[Turn], read: Sequence[Read] | None, problem: str) -> Iterator[str]:
    if read is None:
        yield f"{name} gave no answer that fits, twice, for {len(turns)} turn(s); the rules' result stands: {problem}"
        return
    unfit = [one for one in read if isinstance(one, Unfit)]
    if unfit:
        yield f"{name}: {len(unfit)} memory(ies) left out that do not fit the ontology: {unfit[0].problem}"
    why = Counter(one.why for one in read if isinstance(one, Passed))
    if why["not said"]:
        yield f"{name}: {why['not said']} memory(ies) left out that quote nothing said in their turn"
    if why["echo"]:
        yield f"{name}: {why['echo']} memory(ies) left out that an assistant only repeated"
    if cut := sum(len(turn.message.text) > LONGEST for turn in turns):
        yield f"{name} read only the first {LONGEST} characters of {cut} turn(s)"


def _merged(rules: Extraction, gap: Extraction | None) -> Extraction:
    """The rules' drafts keep their positions, which their links count on."""
    if gap is None:
        return rules
    return replace(
        rules,
        drafts=(*rules.drafts, *gap.drafts),
        notes=(*rules.notes, *gap.notes),
        tokens=rules.tokens + gap.tokens,
        read_by=gap.read_by,
    )
