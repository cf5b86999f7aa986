"""Upkeep by hand: what the store holds, whether it is sound, erasing for good, and vectors of another model."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from graphmem.errors import ConfigurationError
from graphmem.filters import Filter
from graphmem.lifecycle_forget import Eraser, Wish
from graphmem.model import STATES, DeletionReport, Finding, Stats
from graphmem.ontology import Ontology
from graphmem.ports import ChangeSet, Clock, Embedder, Selection, Store, StoreInfo
from graphmem.writing import Writer

LARGE_SCOPE = 200_000
PAGE = 256
OFTEN = 5
"""How often a relation or type must stand before its lack or disuse is worth a word."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Keeper:
    """Keeps one store in order, for any of its scopes."""

    store: Store
    info: StoreInfo
    writer: Writer
    ontology: Ontology
    embedder: Embedder | None
    clock: Clock

    def everything(self, where: Filter | None = None) -> Selection:
        return Selection(at=self.clock.now(), states=frozenset(STATES), where=where)

    async def stats(self, user_id: str) -> Stats:
        counts, totals = await self.store.count(user_id, self.everything()), await self.store.totals(user_id)
        return Stats(
            memories=dict(sorted(counts.items())),
            entities=totals.get("entities", 0),
            relationships=totals.get("relationships", 0),
            users=(await self.store.totals()).get("users", 0),
            store=self.info.engine,
            embedding=self.embedder.model_id if self.embedder else self.info.embedding,
            schema=self.info.schema,
            ontology=self.ontology.stamp,
        )

    async def doctor(self, user_id: str, *, deep: bool = False) -> list[Finding]:
        """Looks at the engine, the models and the size of the scope; each finding names the command that mends it."""
        findings = [Finding(check, fine, detail, "" if fine else _mend(check)) for check, fine, detail in await self.store.check(deep=deep)]
        if self.embedder is None:
            findings.append(Finding("embedder", False, "none: recall works by words and graph only", "pip install 'graphmem[local]'"))
        else:
            findings.append(Finding("embedder", True, self.embedder.model_id))
        size = sum((await self.store.count(user_id, self.everything())).values())
        if self.info.engine.startswith("sqlite"):
            small = size <= LARGE_SCOPE
            findings.append(Finding("scope size", small, f"{size} memories", "" if small else "graphmem copy sqlite:///… neo4j://…"))
        return findings + (await self._wishes(user_id) if deep else [])

    async def _wishes(self, user_id: str) -> list[Finding]:
        """What the data would have of its ontology: relations that are often stated and not declared, slots that nothing ever fills."""
        relations: Counter[str] = Counter()
        types: Counter[str] = Counter()
        filled: set[tuple[str, str]] = set()
        after: str | None = None
        while True:
            page, after = await self.store.select(user_id, self.everything(), order="id", limit=PAGE, after=after)
            types.update(memory.type for memory in page)
            relations.update(str(memory.properties["relation"]) for memory in page if memory.type == "Fact")
            filled |= {(memory.type, name) for memory in page for name, value in memory.properties.items() if value not in (None, "", [])}
            if after is None:
                break
        unknown = [
            f"{name} ({count})" for name, count in relations.most_common() if name not in self.ontology.predicates and count >= OFTEN
        ]
        empty = [
            f"{kind}.{slot}"
            for kind, count in sorted(types.items())
            if count >= OFTEN and kind in self.ontology.types
            for slot in self.ontology.types[kind].slots
            if (kind, slot) not in filled
        ]
        return [
            Finding("relations", True, ", ".join(unknown[:10]) or "all declared", "declare them under predicates:" if unknown else ""),
            Finding("slots", True, f"never filled: {', '.join(empty[:10])}" if empty else "all in use"),
        ]

    async def forget(self, user_id: str, wish: Wish) -> DeletionReport:
        """Erases what is wished, with what falls with it, and proves that nothing is left."""
        return await Eraser(self.store, self.writer, self.ontology, self.clock).forget(user_id, wish)

    async def reembed(self, *, progress: Progress | None = None) -> int:
        """Makes every vector of the store anew, all scopes; kept marks let a second call go on after a kill."""
        if self.embedder is None:
            raise ConfigurationError("no embedder to make vectors with; `pip install graphmem[local]` or give embedder=")
        total, done = (await self.store.totals()).get("memories", 0), 0
        async for user_id in self._users():
            async for step in self._reembed_scope(user_id, self.embedder.model_id):
                done += step
                if progress is not None:
                    progress(done, total)
        await self.store.describe(ontology=self.ontology.stamp, embedding=self.embedder.model_id, dimensions=self.embedder.dimensions)
        async for user_id in self._users():
            await self.store.set_note(user_id, "reembed", None)
        return done

    async def _users(self) -> AsyncIterator[str]:
        found, after = await self.store.users()
        while True:
            for user_id in found:
                yield user_id
            if after is None:
                return
            found, after = await self.store.users(after=after)

    async def _reembed_scope(self, user_id: str, model_id: str) -> AsyncIterator[int]:
        """Yields how many memories each page had; the mark after a page names the model, so that another model starts anew."""
        mark = await self.store.note(user_id, "reembed")
        after = mark["after"] if mark and mark.get("model") == model_id else ""
        while after is not None:
            found, cursor = await self.store.select(user_id, self.everything(), order="id", limit=PAGE, after=after or None)
            hot = [memory for memory in found if memory.stored_state != "archived"]
            change = ChangeSet(
                user_id=user_id,
                now=self.clock.now(),
                reindex=frozenset(memory.id for memory in hot),
                passages=tuple(await self.writer.index(hot)),
            )
            await self.store.commit(change)
            after = cursor
            await self.store.set_note(user_id, "reembed", {"model": model_id, "after": after})
            yield len(found)


def _mend(check: str) -> str:
    return {
        "integrity": "graphmem export memories.jsonl, then import it into a new store",
        "index": "graphmem doctor --mend",
        "vectors": "graphmem reembed",
    }.get(check, "graphmem doctor --deep")
