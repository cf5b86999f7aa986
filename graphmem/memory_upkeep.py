"""The verbs that look after a memory; AsyncMemory has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graphmem.engine import Engine, Progress
from graphmem.errors import ConfigurationError
from graphmem.filters import Filter, parse
from graphmem.lifecycle_forget import Wish
from graphmem.model import Change, ConsolidationReport, DeletionReport, Finding, Report, Stats
from graphmem.ports import speaks_cypher
from graphmem.temporal import aware

Json = Mapping[str, Any]


class Upkeep:
    """Looks after one scope."""

    _engine: Engine
    user_id: str

    async def forget(
        self,
        memory_id: str | Sequence[str] | None = None,
        *,
        filter: Json | None = None,  # noqa: A002 — the word that other libraries use
        session_id: str | None = None,
        everything: bool = False,
        with_sources: bool = False,
        tombstones: bool = False,
        compact: bool = False,
        reason: str = "",
    ) -> DeletionReport:
        """Erases memories, a session, or all of this user, from every table, index and cache, and counts what is left: nothing, or it raises.

        What rests on them alone goes too; `with_sources` takes the turns that still say it. `tombstones` keeps keyed hashes by which a later
        import leaves out what was forgotten. `compact` rewrites the file, so that not a byte of it can be read there.
        """
        wish = Wish(
            ids=[memory_id] if isinstance(memory_id, str) else memory_id,
            where=self._filter(filter),
            session_id=session_id,
            everything=everything,
            with_sources=with_sources,
            tombstones=tombstones,
            compact=compact,
            reason=reason,
        )
        return await self._engine.keeper.forget(self.user_id, wish)

    async def consolidate(self, *, dry_run: bool = False) -> ConsolidationReport:
        """Merges what says the same, puts away what is spent, sums up, concludes; each action says why, and `undo` takes it back."""
        return await self._engine.consolidator.consolidate(self.user_id, dry_run=dry_run)

    async def undo(self, action_id: str) -> list[str]:
        """Takes one action of `consolidate` back, for good; returns the memories concerned."""
        return await self._engine.consolidator.undo(self.user_id, action_id)

    async def changes(self, since: datetime) -> list[Change]:
        """What was added, changed, superseded, disputed, archived and forgotten since then, oldest first."""
        return await self._engine.reporter.changes(self.user_id, aware(since, self._engine.settings.zone))

    async def report(self, since: datetime | None = None) -> Report:
        """What to look at: learned in the last seven days (or since then), open and overdue tasks, unresolved negatives, disputes."""
        return await self._engine.reporter.report(self.user_id, since and aware(since, self._engine.settings.zone))

    async def stats(self) -> Stats:
        """Counts of this scope, and what the store runs on."""
        return await self._engine.keeper.stats(self.user_id)

    async def doctor(self, *, deep: bool = False) -> list[Finding]:
        """What was looked at and how it is; `deep` compares every index with the data, which takes as long as reading all of it."""
        return await self._engine.keeper.doctor(self.user_id, deep=deep)

    async def reembed(self, *, progress: Progress | None = None) -> int:
        """Makes all vectors of the store anew with the embedder in use, every user's; a second call goes on where the first was stopped."""
        return await self._engine.keeper.reembed(progress=progress)

    async def cypher(self, query: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Rows of a Cypher query over this scope's graph (docs/graph-schema.md), on Neo4j only.

        It may only read, and must start from nodes with `{user_id: $user_id}`; what the server would plan otherwise is refused. At most 10,000 rows.
        """
        store = self._engine.store
        if not speaks_cypher(store):
            raise ConfigurationError("this store does not speak Cypher; `graphmem copy memory.db neo4j://…` moves it to one that does")
        return await store.cypher(self.user_id, query, parameters)

    def _filter(self, given: Json | None) -> Filter | None:
        return None if given is None else parse(given, self._engine.ontology)
