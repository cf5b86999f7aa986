"""What `doctor` asks of the Neo4j store."""

from __future__ import annotations

from graphmem.stores.neo4j_connection import Server, Transaction, run
from graphmem.stores.neo4j_queries import queries
from graphmem.stores.neo4j_schema import VECTORS, WORDS
from graphmem.stores.neo4j_search import SCANNED_AT_MOST

Line = tuple[str, bool, str]


async def check(tx: Transaction, server: Server, dimensions: int | None, *, deep: bool) -> list[Line]:
    """`deep` also looks for what hangs on nothing and at every vector's length."""
    found = [await _indexes(tx, dimensions)]
    if deep:
        found += [(row[0], row[1] == 0, f"{row[1]}") for row in await run(tx, queries().check_orphans)]
        found.append(await _vectors(tx))
    sizes = await run(tx, queries().check_scopes)
    largest = int(sizes[0][1]) if sizes else 0
    found.append(("vector path", True, _path(server, largest)))
    found.append(
        ("erased text", True, "gone for every query; its bytes stay in files and logs until Neo4j writes over them (see docs/browser.md)")
    )
    return found


async def _indexes(tx: Transaction, dimensions: int | None) -> Line:
    states = {row["name"]: row["state"] for row in await run(tx, queries().indexes)}
    wanted = {WORDS} | ({VECTORS} if dimensions is not None else set())
    wrong = [f"{name} is {state}" for name, state in sorted(states.items()) if state != "ONLINE"]
    wrong += [f"{name} is missing: open the store again to make it" for name in sorted(wanted - states.keys())]
    return ("indexes", not wrong, "; ".join(wrong) or f"{len(states)} online")


async def _vectors(tx: Transaction) -> Line:
    widths = [(row[0], row[1]) for row in await run(tx, queries().check_vectors)]
    detail = ", ".join(f"{count} of {width} dimensions" for width, count in widths) or "none"
    return ("vectors", len(widths) <= 1, detail if len(widths) <= 1 else f"{detail}; run `graphmem reembed`")


def _path(server: Server, largest: int) -> str:
    size = f"{largest} memories in the largest scope"
    if server.filters_in_index:
        return f"filters inside the vector index (Neo4j {server.text}); {size}"
    if largest <= SCANNED_AT_MOST:
        return f"exact comparison within the scope (Neo4j {server.text} cannot filter in its index); {size}"
    return f"the whole database's index, then the scope's rows (Neo4j {server.text}; 2026.01 filters in its index); {size}"
