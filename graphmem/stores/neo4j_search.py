"""Entry points of the Neo4j store: nearest vectors and best words in one scope, never short while something matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphmem.ports import Hit, Selection, Vector
from graphmem.stores.neo4j_connection import Transaction, run
from graphmem.stores.neo4j_filters import Condition, in_index
from graphmem.stores.neo4j_queries import queries
from graphmem.stores.neo4j_read import shown
from graphmem.stores.neo4j_rows import scope_words
from graphmem.stores.neo4j_write import sendable

AT_LEAST, SPARE = 64, 16
"""Rows asked of the vector index: more than wanted, for its graph is searched the more thoroughly the more are asked for."""
SCANNED_AT_MOST = 20_000
"""Memories of one scope up to which a server without filters in its index compares all of them."""
MOST_ROWS = 10_000
WORDS_AT_MOST = 64
"""Words of one query that the index is asked for; more cost time and add nothing to an OR."""


async def nearest_filtered(tx: Transaction, user_id: str, vector: Vector, selection: Selection, k: int) -> list[Hit]:
    """By the index's own filter and the rest on its rows; when these do not fill `k`, by comparing everything that is shown."""
    if selection.as_of is not None:
        return await nearest_scanned(tx, user_id, vector, selection, k)
    where, inside = await shown(tx, user_id, selection), in_index(selection)
    fetch = max(k + SPARE, AT_LEAST) if not inside.rest else min(max(4 * k, 4 * AT_LEAST), MOST_ROWS)
    query = where.into(queries().nearest_in_index) if inside.rest else Condition().into(queries().nearest_in_index)
    parameters = {**(where.parameters if inside.rest else {}), **inside.parameters}
    rows = await run(
        tx,
        query.replace("/*in index*/ n.state IN $stored", inside.where),
        user_id=user_id,
        vector=sendable(vector, binary=True),
        fetch=fetch,
        **parameters,
    )
    hits = _best(rows, k)
    return hits if len(hits) >= k else await nearest_scanned(tx, user_id, vector, selection, k)


async def nearest_plain(tx: Transaction, user_id: str, vector: Vector, selection: Selection, k: int) -> list[Hit]:
    """Exact over the scope up to a size; beyond it from the index of the whole database, and exact where that gives too few."""
    [size] = await run(tx, queries().scope_size, user_id=user_id)
    if selection.as_of is None and size[0] > SCANNED_AT_MOST:
        where = await shown(tx, user_id, selection)
        rows = await run(
            tx,
            where.into(queries().nearest_plain),
            user_id=user_id,
            vector=vector.tolist(),
            fetch=min(100 * k, MOST_ROWS),
            **where.parameters,
        )
        hits = _best(rows, k)
        if len(hits) >= k:
            return hits
    return await nearest_scanned(tx, user_id, vector, selection, k)


async def nearest_scanned(tx: Transaction, user_id: str, vector: Vector, selection: Selection, k: int) -> list[Hit]:
    where = await shown(tx, user_id, selection)
    rows = await run(
        tx,
        where.into(queries().nearest_by_scan),
        user_id=user_id,
        vector=vector.tolist(),
        dimensions=len(vector),
        limit=k,
        **where.parameters,
    )
    return [Hit(row["id"], float(row["score"])) for row in rows]


async def best_words(tx: Transaction, user_id: str, tokens: Sequence[str], selection: Selection, k: int) -> list[Hit]:
    """Asks the index for more until `k` shown memories are found or it has no more."""
    words = [word for word in list(dict.fromkeys(tokens))[:WORDS_AT_MOST] if word.isalnum()]
    if not words or k < 1:
        return []
    where, fetch = await shown(tx, user_id, selection), 2 * k + 32
    query, text = where.into(queries().best_words), scope_words(user_id, words)
    while True:
        rows = await run(tx, query, user_id=user_id, query=text, fetch=fetch, **where.parameters)
        hits = _best(rows, k)
        if len(hits) >= k or len(rows) < fetch:
            return hits
        fetch *= 8


def _best(rows: Sequence[Any], k: int) -> list[Hit]:
    """The first `k` shown memories by their best passage."""
    best: dict[str, float] = {}
    for row in rows:
        if row["shown"] and row["score"] > best.get(row["id"], -9.0):
            best[row["id"]] = float(row["score"])
    return [Hit(*pair) for pair in sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))[:k]]
