"""The verbs that ask a language model about what is stored; AsyncMemory has them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphmem.engine import Engine, Progress
from graphmem.errors import ConfigurationError
from graphmem.filters import Filter, parse
from graphmem.model import RememberReport
from graphmem.ports import LanguageModel

if TYPE_CHECKING:
    from graphmem.llm.judging import JudgeReport

Json = Mapping[str, Any]


class Models:
    """Has one scope read again by a language model."""

    _engine: Engine
    user_id: str

    async def enrich(
        self,
        filter: Json | None = None,  # noqa: A002 — the word that other libraries use
        *,
        progress: Progress | None = None,
    ) -> RememberReport:
        """Sends stored turns that the language model has not read to it, and keeps what it adds; a second call goes on where one was stopped."""
        from graphmem.llm.enriching import Enricher  # noqa: PLC0415 — most memories are used without a language model

        engine = self._engine
        enricher = Enricher(engine.store, engine.writer, engine.clock, engine.ontology, self._model())
        return await enricher.enrich(self.user_id, self._where(filter), progress)

    async def judge(
        self,
        filter: Json | None = None,  # noqa: A002 — the word that other libraries use
        *,
        progress: Progress | None = None,
    ) -> JudgeReport:
        """Rechecks important memories (or those of the filter) against the turns they cite; what is wrong loses confidence and says why."""
        from graphmem.llm.judging import Judge  # noqa: PLC0415 — see enrich

        engine = self._engine
        judge = Judge(engine.store, engine.writer, engine.clock, engine.ontology, self._model())
        return await judge.judge(self.user_id, self._where(filter), progress)

    async def export_pairs(
        self,
        path: str | Path,
        *,
        filter: Json | None = None,  # noqa: A002 — the word that other libraries use
        progress: Progress | None = None,
    ) -> int:
        """Writes turns with the memories accepted from them as JSON lines of chat messages, to train a model on; returns how many."""
        from graphmem.llm.pairs import PairExporter  # noqa: PLC0415 — see enrich

        exporter = PairExporter(self._engine.store, self._engine.clock, self._engine.ontology)
        return await exporter.export(self.user_id, Path(path), self._where(filter), progress)

    def _model(self) -> LanguageModel:
        if self._engine.language_model is None:
            raise ConfigurationError("no language model: set GRAPHMEM_LLM_BASE_URL and GRAPHMEM_LLM_MODEL, or open with language_model=")
        return self._engine.language_model

    def _where(self, given: Json | None) -> Filter | None:
        return None if given is None else parse(given, self._engine.ontology)
