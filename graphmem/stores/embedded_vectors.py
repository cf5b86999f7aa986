"""What scans read of one scope, held in memory: states, times and types of its memories, its vectors; kept fresh row by row."""

from __future__ import annotations

import json
import sqlite3
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import EmbeddingMismatch
from graphmem.filters import And, Compare, Filter
from graphmem.model import MemoryRecord, State
from graphmem.ports import Hit, Selection, Vector
from graphmem.stores.embedded_filters import Condition, condition, where_only
from graphmem.stores.embedded_queries import queries
from graphmem.stores.records import micros

Mask = NDArray[np.bool_]
_CODES = {"current": 0, "disputed": 1, "superseded": 2, "invalid": 3, "archived": 4}
_DEAD_SHARE = 0.25
"""Once so many of a slice's vectors belong to no memory any more, it is read anew."""
_RECORDS_AT_MOST = 20_000
_SMALL = 5_000
"""Memories of a scope whose scans and fetches take less than handing them to a thread would."""


@dataclass(slots=True, eq=False)
class _Growing:
    """Append-only memory that a slice and its successors share: each sees only as many entries as it knows of."""

    ids: list[str] = field(default_factory=list)
    index: dict[str, int] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)
    matrix: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 0), np.float32))
    records: dict[str, tuple[int, MemoryRecord]] = field(default_factory=dict)
    """Decoded memories with the revision of the snapshot that they were read in; counters may lag behind `touch`."""


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """One scope at one revision.

    `rows`, `states`, … have an entry a memory; `passages`, `owners` one a passage (its row, ascending; the index of its memory, −1 once
    replaced); `vector_owners` one a row of the matrix of unit vectors. `dimensions` is 0 without vectors, negative when all there are have
    another width than the one asked for.
    """

    revision: int
    shared: _Growing
    rows: NDArray[np.int64]
    states: NDArray[np.int8]
    types: NDArray[np.int32]
    valid_from: NDArray[np.int64]
    valid_to: NDArray[np.int64]
    changed: NDArray[np.int64]
    """For each memory a revision not before its last change: what was read in an earlier snapshot may be stale."""
    passages: NDArray[np.int64]
    owners: NDArray[np.int32]
    vector_owners: NDArray[np.int32]
    dimensions: int
    masks: dict[tuple[str, str], Mask]
    several: bool
    """Whether some memory has more than one vector."""

    @property
    def bytes(self) -> int:
        return int(self.shared.matrix.nbytes) + 200 * len(self.rows)

    @property
    def matrix(self) -> NDArray[np.float32]:
        return self.shared.matrix[: len(self.vector_owners)]

    def place(self, memory_id: str) -> int | None:
        found = self.shared.index.get(memory_id)
        return found if found is not None and found < len(self.rows) else None

    def record(self, memory_id: str, place: int) -> MemoryRecord | None:
        revision, record = self.shared.records.get(memory_id, (-1, None))
        return record if revision >= self.changed[place] else None

    def keep(self, records: Sequence[MemoryRecord]) -> None:
        if len(self.shared.records) > _RECORDS_AT_MOST:
            self.shared.records.clear()
        self.shared.records.update({record.id: (self.revision, record) for record in records})

    def in_states(self, states: frozenset[State], at: int) -> Mask:
        """`model.state_at`, over all memories at once."""
        stored = self.states
        begun, over = self.valid_from <= at, self.valid_to <= at
        shown = np.zeros(len(stored), np.bool_)
        for state in states:
            match state:
                case "current":
                    shown |= begun & ~over & ((stored == 0) | (stored == 2))
                case "disputed":
                    shown |= begun & ~over & (stored == 1)
                case "superseded":
                    shown |= begun & over & ((stored == 1) | (stored == 2))
                case "expired":
                    shown |= begun & over & (stored == 0)
                case "upcoming":
                    shown |= ~begun & (stored <= 2)
                case "invalid" | "archived":
                    shown |= stored == _CODES[state]
        return shown

    def of_rows(self, rows: Sequence[int]) -> Mask:
        mask = np.zeros(len(self.rows), np.bool_)
        found = np.searchsorted(self.rows, np.asarray(rows, np.int64))
        mask[found] = True
        return mask

    def of_types(self, names: Sequence[str]) -> Mask:
        return np.isin(self.types, [self.shared.types[name] for name in names if name in self.shared.types])


# ── which memories a selection shows ────────────────────────────────────────────────────────────────────────────────────────────────


def visible(connection: sqlite3.Connection, user_id: str, held: Slice, selection: Selection) -> Mask:
    """Exactly what the selection shows: states, times and types from the slice, everything else by SQL (kept while the revision stands)."""
    if selection.as_of is not None:
        return held.of_rows(_rows(connection, user_id, condition(selection)))
    shown = held.in_states(selection.states, micros(selection.at))
    if selection.where is None:
        return shown
    types = _only_types(selection.where)
    return shown & (held.of_types(types) if types is not None else _filtered(connection, user_id, held, selection.where, selection))


def _only_types(where: Filter) -> Sequence[str] | None:
    match where:
        case And((single,)):
            return _only_types(single)
        case Compare("type", "$eq", str(name)):
            return [name]
        case Compare("type", "$in", names):
            return list(names)
        case _:
            return None


def _filtered(connection: sqlite3.Connection, user_id: str, held: Slice, where: Filter, selection: Selection) -> Mask:
    found = where_only(where, selection.at)
    timed = ":at" in found.sql
    key = (found.sql, json.dumps(found.parameters if timed else {k: v for k, v in found.parameters.items() if k != "at"}))
    mask = held.masks.get(key)
    if mask is None:
        mask = held.of_rows(_rows(connection, user_id, found))
        if len(held.masks) >= 16:
            held.masks.clear()
        held.masks[key] = mask
    return mask


def _rows(connection: sqlite3.Connection, user_id: str, found: Condition) -> list[int]:
    return [row for (row,) in connection.execute(found.into(queries().matching_rows), {"user_id": user_id, **found.parameters})]


# ── the best of them ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def best(held: Slice, query: Vector, shown: Mask, k: int) -> list[Hit]:
    """The `k` memories whose best passage has the highest cosine, among those shown."""
    if not len(held.vector_owners) or k < 1:
        return []
    direction = (query / np.linalg.norm(query)).astype(np.float32)
    owners = held.vector_owners
    allowed = shown[owners] & (owners >= 0)
    count = int(np.count_nonzero(allowed))
    if count * 8 < len(owners):
        chosen = np.flatnonzero(allowed)
        scores = held.matrix[chosen] @ direction
        owners = owners[chosen]
    else:
        scores = held.matrix @ direction
        if count < len(owners):
            scores[~allowed] = -np.inf
    return _top(held, scores, owners, count, k)


def _top(held: Slice, scores: NDArray[np.float32], owners: NDArray[np.int32], count: int, k: int) -> list[Hit]:
    wanted = min(k, count)
    while wanted:
        top = np.argpartition(-scores, wanted - 1)[:wanted] if wanted < len(scores) else np.arange(len(scores))
        top = top[np.lexsort((owners[top], -scores[top]))]
        hits: dict[int, float] = {}
        for owner, score in zip(owners[top].tolist(), scores[top].tolist(), strict=True):
            if score != -np.inf:
                hits.setdefault(owner, score)
        if len(hits) >= k or wanted >= count or not held.several:
            return [Hit(held.shared.ids[owner], score) for owner, score in list(hits.items())[:k]]
        wanted = min(wanted * 4, count)
    return []


# ── keeping slices fresh ────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Slices:
    """Slices by scope, the least used dropped beyond a number of bytes."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._held: OrderedDict[str, Slice] = OrderedDict()
        self._lock = Lock()
        self._loading = Lock()

    def clear(self) -> None:
        with self._lock:
            self._held.clear()

    def small(self, user_id: str) -> bool:
        """Whether the scope is held and small enough to be read without a thread."""
        held = self._held.get(user_id)
        return held is not None and len(held.rows) <= _SMALL

    def at(self, connection: sqlite3.Connection, user_id: str, dimensions: int | None = None) -> Slice | None:
        """The slice of the snapshot that the connection reads; None when the cache is ahead of it and the caller must take a new snapshot."""
        found = connection.execute(queries().scope_revision, {"user_id": user_id}).fetchone()
        revision, purged = found or (0, 0)
        held = self._get(user_id)
        if held is None or held.revision != revision or _other_width(held, dimensions):
            with self._loading:
                held = self._get(user_id)
                if held is not None and held.revision > revision and found:
                    return None
                if held is None or held.revision < purged or not found or _other_width(held, dimensions):
                    held = None
                if held is None or held.revision != revision:
                    self._drop(user_id)  # a refresh that fails half-way leaves the shared lists ahead of the slice
                    held = _refresh(connection, user_id, held, revision, dimensions)
                    self._put(user_id, held)
        if _other_width(held, dimensions):
            raise EmbeddingMismatch(f"a model of {abs(held.dimensions)} dimensions", f"one of {dimensions}")
        return held

    def _get(self, user_id: str) -> Slice | None:
        with self._lock:
            held = self._held.get(user_id)
            if held is not None:
                self._held.move_to_end(user_id)
            return held

    def _drop(self, user_id: str) -> None:
        with self._lock:
            self._held.pop(user_id, None)

    def _put(self, user_id: str, held: Slice) -> None:
        with self._lock:
            self._held[user_id] = held
            self._held.move_to_end(user_id)
            while len(self._held) > 1 and sum(each.bytes for each in self._held.values()) > self._budget:
                self._held.popitem(last=False)


def _other_width(held: Slice, dimensions: int | None) -> bool:
    return dimensions is not None and held.dimensions not in (0, dimensions)


def _empty() -> Slice:
    ints, small = np.empty(0, np.int64), np.empty(0, np.int32)
    return Slice(
        revision=0,
        shared=_Growing(),
        rows=ints,
        states=np.empty(0, np.int8),
        types=small,
        valid_from=ints,
        valid_to=ints,
        changed=ints,
        passages=ints,
        owners=small,
        vector_owners=small,
        dimensions=0,
        masks={},
        several=False,
    )


def _refresh(connection: sqlite3.Connection, user_id: str, held: Slice | None, revision: int, dimensions: int | None) -> Slice:
    """The slice brought to the snapshot's revision by reading only what changed since; from nothing when there is none."""
    base = held or _empty()
    since = {"user_id": user_id, "revision": base.revision}
    changed = connection.execute(queries().slice_memories, since).fetchall()
    fresh, reindexed = _with_memories(base, changed, revision)
    owners, vector_owners = fresh.owners, fresh.vector_owners
    if reindexed and len(owners):
        gone = np.isin(owners, reindexed)
        owners = np.where(gone, np.int32(-1), owners)
        vector_owners = np.where(np.isin(vector_owners, reindexed), np.int32(-1), vector_owners)
        if np.count_nonzero(vector_owners < 0) > _DEAD_SHARE * len(vector_owners) + 100:
            return _refresh(connection, user_id, None, revision, dimensions)
    fresh = replace(fresh, revision=revision, owners=owners, vector_owners=vector_owners)
    cursor = connection.execute(queries().slice_passages, since)
    return _with_passages(fresh, cursor, dimensions)


def _with_memories(base: Slice, changed: list[tuple[Any, ...]], revision: int) -> tuple[Slice, list[int]]:
    """With new and changed memories; also the indexes of known ones whose passages were replaced."""
    shared, known = base.shared, len(base.rows)
    new: list[tuple[Any, ...]] = []
    old: list[tuple[int, tuple[Any, ...]]] = []
    reindexed: list[int] = []
    for row in changed:
        index = shared.index.get(row[1])
        if index is None:
            new.append(row)
        else:
            old.append((index, row))
            if row[6] > base.revision:
                reindexed.append(index)
    for offset, row in enumerate(new):
        shared.ids.append(row[1])
        shared.index[row[1]] = known + offset
    codes = [shared.types.setdefault(row[2], len(shared.types)) for row in new]
    fresh = replace(
        base,
        rows=np.concatenate([base.rows, np.array([row[0] for row in new], np.int64)]),
        states=np.concatenate([base.states, np.array([_CODES[row[3]] for row in new], np.int8)]),
        types=np.concatenate([base.types, np.array(codes, np.int32)]),
        valid_from=np.concatenate([base.valid_from, np.array([row[4] for row in new], np.int64)]),
        valid_to=np.concatenate([base.valid_to, np.array([row[5] for row in new], np.int64)]),
        changed=np.concatenate([base.changed, np.full(len(new), revision, np.int64)]),
        masks={},
    )
    for index, row in old:
        fresh.types[index] = shared.types.setdefault(row[2], len(shared.types))
        fresh.states[index] = _CODES[row[3]]
        fresh.valid_from[index], fresh.valid_to[index] = row[4], row[5]
        fresh.changed[index] = revision
    return fresh, reindexed


def _with_passages(base: Slice, cursor: sqlite3.Cursor, dimensions: int | None) -> Slice:
    """With the new passages; vectors of another width than `dimensions` (or than the first) are left out."""
    shared, width = base.shared, max(base.dimensions, 0)
    first = len(base.vector_owners)
    rows: list[int] = []
    owners: list[int] = []
    vector_owners: list[int] = []
    other = 0
    while batch := cursor.fetchmany(4096):
        blobs: list[bytes] = []
        for row, memory_id, blob in batch:
            owner = shared.index[memory_id]
            rows.append(row)
            owners.append(owner)
            if blob is None:
                continue
            if len(blob) != 4 * (width or dimensions or len(blob) // 4):
                other = len(blob) // 4
                continue
            width = len(blob) // 4
            blobs.append(blob)
            vector_owners.append(owner)
        if blobs:
            _append(shared, first + len(vector_owners) - len(blobs), np.frombuffer(b"".join(blobs), np.float32).reshape(-1, width))
    all_vector_owners = np.concatenate([base.vector_owners, np.array(vector_owners, np.int32)])
    return replace(
        base,
        passages=np.concatenate([base.passages, np.array(rows, np.int64)]),
        owners=np.concatenate([base.owners, np.array(owners, np.int32)]),
        vector_owners=all_vector_owners,
        dimensions=width or -other,
        several=base.several or len(set(vector_owners)) < len(vector_owners),
    )


def _append(shared: _Growing, start: int, vectors: NDArray[np.float32]) -> None:
    """Writes unit vectors behind `start`; older slices share the memory and never look there."""
    end = start + len(vectors)
    if shared.matrix.shape[0] < end or shared.matrix.shape[1] != vectors.shape[1]:
        grown = np.empty((max(end, start * 3 // 2, 256), vectors.shape[1]), np.float32)
        if start:
            grown[:start] = shared.matrix[:start]
        shared.matrix = grown
    np.divide(vectors, np.linalg.norm(vectors, axis=1, keepdims=True), out=shared.matrix[start:end])
