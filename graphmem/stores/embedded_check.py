"""What `doctor` asks of the embedded store."""

from __future__ import annotations

import sqlite3

from graphmem.stores.embedded_queries import queries

LARGE_SCOPE = 200_000
"""Memories in one scope beyond which an exact scan is felt."""


def check(connection: sqlite3.Connection, *, deep: bool) -> list[tuple[str, bool, str]]:
    """`deep` reads every page instead of the structure alone, and compares the word index with the passages."""
    found = [_integrity(connection, "integrity_check" if deep else "quick_check")]
    if deep:
        found.append(_words(connection))
    for kind, count in connection.execute(queries().check_orphans):
        found.append((kind, count == 0, f"{count}"))
    found.extend((_vectors(connection), _sizes(connection)))
    return found


def _integrity(connection: sqlite3.Connection, pragma: str) -> tuple[str, bool, str]:
    problems = [row[0] for row in connection.execute(f"PRAGMA {pragma}(5)")]
    return ("file integrity", problems == ["ok"], "; ".join(problems))


def _words(connection: sqlite3.Connection) -> tuple[str, bool, str]:
    try:
        connection.execute(queries().check_words)
    except sqlite3.DatabaseError as exc:
        return ("word index", False, f"it does not agree with the passages ({exc}); export and import the store")
    return ("word index", True, "agrees with the passages")


def _vectors(connection: sqlite3.Connection) -> tuple[str, bool, str]:
    widths = [(length // 4, count) for length, count in connection.execute(queries().check_vectors)]
    detail = ", ".join(f"{count} of {width} dimensions" for width, count in widths) or "none"
    return ("vectors", len(widths) <= 1, detail if len(widths) <= 1 else f"{detail}; run `graphmem reembed`")


def _sizes(connection: sqlite3.Connection) -> tuple[str, bool, str]:
    largest = connection.execute(queries().check_scopes).fetchone()
    if largest is None:
        return ("scope size", True, "empty")
    fine = largest[1] <= LARGE_SCOPE
    advice = "" if fine else f"; beyond {LARGE_SCOPE} use Neo4j: graphmem copy"
    return ("scope size", fine, f"{largest[1]} memories in the largest{advice}")
