"""Opens a database for graphmem: migrations, the vector index, an index for each relationship type."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from graphmem.errors import SchemaMismatch, StoreUnavailable
from graphmem.ports import StoreInfo
from graphmem.stores.neo4j_connection import Neo4jConnection, Transaction, run
from graphmem.stores.neo4j_names import STRUCTURE, checked_type
from graphmem.stores.neo4j_queries import queries, schema_scripts

VECTORS, WORDS = "memory_vectors", "memory_words"
AWAIT_SECONDS = 600


@dataclass(slots=True)
class Neo4jSchema:
    """What is known of the database's rules; `types` are the relationship types that have an index."""

    connection: Neo4jConnection
    dimensions: int | None = None
    vector_index: bool = False
    types: set[str] = field(default_factory=set)

    async def open(self) -> StoreInfo:
        meta, indexes = await self.connection.read(_state)
        newest = schema_scripts()[-1][0]
        schema = int(meta[0] or 0)
        if schema > newest:
            raise SchemaMismatch(f"the database has schema {schema}, this graphmem knows {newest}; upgrade graphmem")
        if schema < newest or WORDS not in indexes:
            await self._migrate(schema if WORDS in indexes else 0)
            meta, indexes = await self.connection.read(_state)
        self.types = {row["labelsOrTypes"][0] for name, row in indexes.items() if name.startswith("relationship_")}
        self.dimensions = meta[3]
        await self._prepare_vectors(indexes)
        await self._await(name for name, row in indexes.items() if row["state"] == "POPULATING" and name in {VECTORS, WORDS})
        server = self.connection.server
        return StoreInfo(
            schema=newest, ontology=meta[1], embedding=meta[2], dimensions=meta[3], engine=f"Neo4j {server.text} ({server.edition})"
        )

    async def _migrate(self, schema: int) -> None:
        for number, statements in schema_scripts():
            if number > schema:
                for statement in statements:
                    await self.connection.define(statement)
                await self.connection.write(functools.partial(_set_meta, values={"schema": number}))
        await self._await([WORDS])

    async def describe(self, ontology: str, embedding: str | None, dimensions: int | None) -> None:
        """What is None stays as it is recorded; the vector index follows the dimensions."""
        given = {"ontology": ontology, "embedding": embedding, "dimensions": dimensions}
        values = {name: value for name, value in given.items() if value is not None}
        await self.connection.write(lambda tx: _set_meta(tx, values))
        if dimensions is not None:
            self.dimensions = dimensions
            _, indexes = await self.connection.read(_state)
            await self._prepare_vectors(indexes)

    async def _prepare_vectors(self, indexes: dict[str, Any]) -> None:
        there = indexes.get(VECTORS)
        if self.dimensions is None:
            self.vector_index = there is not None
            return
        if there is not None and there["options"]["indexConfig"].get("vector.dimensions") != self.dimensions:
            await self.connection.define(f"DROP INDEX {VECTORS} IF EXISTS")
            there = None
        if there is None:
            q = queries()
            text = q.create_vector_index if self.connection.server.filters_in_index else q.create_plain_vector_index
            await self.connection.define(text.replace("/*dimensions*/ 384", str(int(self.dimensions))))
            await self._await([VECTORS])
        self.vector_index = True

    async def _await(self, names: Iterable[str]) -> None:
        for name in names:
            await self.connection.read(functools.partial(_await_index, name=name))

    async def know_types(self, names: Iterable[str]) -> None:
        """Gives each relationship type that is new its index before the first such relationship is written."""
        for name in sorted(set(names) - self.types):
            text = queries().create_relationship_index
            named = f"relationship_{checked_type(name).lower()}"
            text = text.replace("/*name*/ relationship_supports", named).replace("/*type*/SUPPORTS", f"`{name}`")
            await self.connection.define(text)
            self.types.add(name)

    async def seen_types(self) -> list[str]:
        """Every relationship type between memories that the database has seen, from whichever process."""
        rows = await self.connection.read(lambda tx: run(tx, queries().relationship_types))
        return sorted(row[0] for row in rows if row[0] not in STRUCTURE and row[0].isidentifier())


async def _state(tx: Transaction) -> tuple[Any, dict[str, Any]]:
    meta = await run(tx, queries().meta)
    indexes = await run(tx, queries().indexes)
    return (list(meta[0].values()) if meta else [0, None, None, None]), {row["name"]: row.data() for row in indexes}


async def _await_index(tx: Transaction, name: str) -> None:
    await run(tx, "CALL db.awaitIndex($name, $seconds)", name=name, seconds=AWAIT_SECONDS)


async def _set_meta(tx: Transaction, values: dict[str, Any]) -> None:
    await run(tx, queries().set_meta, values=values)


def require_types(names: Iterable[str]) -> str:
    """`A|B|C` for a query's text, each name checked and in backticks."""
    text = "|".join(f"`{checked_type(name)}`" for name in sorted(set(names)))
    if not text:
        raise StoreUnavailable("no relationship type to look for")
    return text
