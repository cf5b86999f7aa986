"""How fast the embedded store is beside the bare floor of its parts, measured in the same run.

    python benchmarks/store.py [--memories 100000] [--out benchmarks/results/store.json]

Reading: nearest + best_words + fetching the found memories, against one numpy matrix–vector product over the same vectors plus one FTS5
query over the same texts. Writing: one durable commit against one SQLite transaction that makes the same number of bytes durable.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import numpy as np
from numpy.typing import NDArray

from graphmem.model import EntityRef, MemoryRecord, Relationship
from graphmem.ports import ChangeSet, Passage, Selection
from graphmem.stores.embedded import EmbeddedStore

NOW = datetime(2026, 1, 1, tzinfo=UTC)
DIMENSIONS = 384
WORDS = 20_000
GROUP = 256
Vectors = NDArray[np.float32]


class Corpus:
    """Random unit vectors and texts whose words are as unevenly common as in speech (Zipf)."""

    def __init__(self, size: int, seed: int) -> None:
        self.size = size
        generator = np.random.default_rng(seed)
        self.vectors: Vectors = generator.standard_normal((size, DIMENSIONS), dtype=np.float32)
        self.vectors /= np.linalg.norm(self.vectors, axis=1, keepdims=True)
        weights = 1 / np.arange(10, WORDS + 10)
        drawn = generator.choice(WORDS, size=(size, 12), p=weights / weights.sum())
        self.texts = [" ".join(f"w{word}" for word in row) for row in drawn.tolist()]
        self.chance = random.Random(seed)

    def query(self) -> tuple[Vectors, list[str]]:
        near = self.vectors[self.chance.randrange(self.size)]
        return near, self.texts[self.chance.randrange(self.size)].split()[:6]

    def record(self, user: str, number: int) -> MemoryRecord:
        said = NOW - timedelta(minutes=self.size - number)
        session = f"s{number // 50}"
        slots = {"speaker": "Alice" if number % 2 else "Bo", "role": "user", "turn": number % 50, "session_id": session, "said_at": said}
        return MemoryRecord(
            id=f"{user}-{number:08}",
            user_id=user,
            type="Episode",
            text=f"{self.texts[number]} and what was said beside it",
            properties=slots,
            valid_from=said,
            recorded_at=said,
            session_id=session,
            refs=(EntityRef(f"e{number % 500}", f"Entity {number % 500}", "mentions"),),
        )

    def changes(self, user: str, links: int) -> list[ChangeSet]:
        """Groups as `remember` writes them, `links` relationships for each memory."""
        found = []
        for start in range(0, self.size, GROUP):
            numbers = range(start, min(start + GROUP, self.size))
            found.append(
                ChangeSet(
                    user_id=user,
                    now=NOW,
                    memories=tuple(self.record(user, number) for number in numbers),
                    passages=tuple(Passage(f"{user}-{n:08}", 0, self.texts[n], self.vectors[n]) for n in numbers),
                    relationships=tuple(self._link(user, n, step) for n in numbers for step in range(1, links + 1) if n >= step),
                )
            )
        return found

    def _link(self, user: str, number: int, step: int) -> Relationship:
        source, target = f"{user}-{number:08}", f"{user}-{number - step:08}"
        return Relationship(id=f"{source}>{step}", user_id=user, source_id=source, type=f"R{step}", target_id=target, recorded_at=NOW)


class Floor:
    """A bare matrix and a bare FTS5 table over the same content."""

    def __init__(self, corpus: Corpus) -> None:
        self.matrix = corpus.vectors.copy()
        self.file = tempfile.NamedTemporaryFile(suffix=".db")  # noqa: SIM115 — lives as long as the floor
        self.connection = sqlite3.connect(self.file.name, isolation_level=None)
        self.connection.execute("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61')")
        self.connection.execute("BEGIN")
        self.connection.executemany("INSERT INTO words (text) VALUES (?)", ([text] for text in corpus.texts))
        self.connection.execute("COMMIT")

    def ask(self, vector: Vectors, words: list[str], k: int) -> None:
        scores = self.matrix @ vector
        assert len(scores)
        match = " OR ".join(f'"{word}"' for word in words)
        self.connection.execute("SELECT rowid, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?", (match, k)).fetchall()


async def reading(store: EmbeddedStore, user: str, corpus: Corpus, k: int, rounds: int) -> dict[str, float]:
    floor = Floor(corpus)
    selection = Selection(at=NOW)
    ours, parts, bare = [], [], []
    for round_ in range(rounds + 5):
        vector, words = corpus.query()
        begun = time.perf_counter()
        near = await store.nearest(user, vector, selection, k)
        after_near = time.perf_counter()
        worded = await store.best_words(user, words, selection, k)
        after_words = time.perf_counter()
        ids = list(dict.fromkeys([hit.id for hit in near] + [hit.id for hit in worded]))
        found = await store.memories(user, ids, selection)
        ended = time.perf_counter()
        assert len(found) == len(ids) >= min(k, corpus.size)
        floor.ask(vector, words, k)
        floored = time.perf_counter()
        if round_ >= 5:
            ours.append(ended - begun)
            parts.append((after_near - begun, after_words - after_near, ended - after_words))
            bare.append(floored - ended)
    near_ms, words_ms, fetch_ms = (tenth(list(column)) * 1000 for column in zip(*parts, strict=True))
    return {
        "store_ms": tenth(ours) * 1000,
        "floor_ms": tenth(bare) * 1000,
        "ratio": tenth(ours) / tenth(bare),
        "median_ratio": statistics.median(ours) / statistics.median(bare),
        "nearest_ms": near_ms,
        "words_ms": words_ms,
        "fetch_ms": fetch_ms,
    }


def tenth(spent: list[float]) -> float:
    """The first decile: what the work takes when other programs leave the machine alone."""
    return sorted(spent)[len(spent) // 10]


async def timed(work: Callable[[int], Awaitable[Any]], rounds: int) -> list[float]:
    spent = []
    for number in range(rounds):
        begun = time.perf_counter()
        await work(number)
        spent.append(time.perf_counter() - begun)
    return spent


async def single_writes(folder: Path, corpus: Corpus, rounds: int = 300) -> dict[str, float]:
    path = folder / "single.db"
    store = EmbeddedStore(path)
    await store.open()
    for change in corpus.changes("warm", 1)[:8]:
        await store.commit(change)
    log = Path(f"{path}-wal")
    await store.compact()

    async def write(number: int) -> None:
        memory = corpus.record("one", number)
        passage = Passage(memory.id, 0, corpus.texts[number], corpus.vectors[number])
        await store.commit(ChangeSet(user_id="one", now=NOW, memories=(memory,), passages=(passage,)))

    ours = await timed(write, 100)
    size = max(1024, log.stat().st_size // 100 - 200)  # noqa: ASYNC240 — nothing else runs here
    await store.compact()
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = FULL")
    bare.execute("CREATE TABLE blobs (id INTEGER PRIMARY KEY, content BLOB)")
    content = os.urandom(size)
    ours, floor = [], []
    for number in range(100, 100 + rounds):
        ours.extend(await timed(lambda _, n=number: write(n), 1))  # type: ignore[misc]  # the default binds the number
        begun = time.perf_counter()
        bare.execute("BEGIN IMMEDIATE")
        bare.execute("INSERT INTO blobs (content) VALUES (?)", (content,))
        bare.execute("COMMIT")
        floor.append(time.perf_counter() - begun)
    bare.close()
    await store.close()
    store_ms, floor_ms = tenth(ours) * 1000, tenth(floor) * 1000
    return {"bytes": size, "store_ms": store_ms, "floor_ms": floor_ms, "ratio": store_ms / floor_ms}


async def batches(store: EmbeddedStore, user: str, corpus: Corpus, links: int) -> dict[str, float]:
    changes = corpus.changes(user, links)
    begun, processor = time.perf_counter(), time.process_time()
    spent = await timed(lambda number: store.commit(changes[number]), len(changes))
    processor = time.process_time() - processor
    return {
        "turns": corpus.size,
        "turns_per_second": corpus.size / (time.perf_counter() - begun),
        "turns_per_processor_second": corpus.size / processor,
        "undisturbed_turns_per_second": min(GROUP, corpus.size) / tenth(spent),
    }


async def hops(store: EmbeddedStore, user: str, corpus: Corpus, rounds: int = 30) -> float:
    async def walk(_: int) -> None:
        frontier = [f"{user}-{corpus.chance.randrange(corpus.size):08}" for _ in range(10)]
        for _ in range(3):
            frontier = list({each.other for each in await store.relationships(user, frontier, None, limit=50)})

    return tenth(await timed(walk, rounds)) * 1000


async def run(size: int, folder: Path) -> dict[str, Any]:
    big, small = Corpus(size, 1), Corpus(size // 100, 2)
    store = EmbeddedStore(folder / "memory.db")
    await store.open()
    found: dict[str, Any] = {"batch": await batches(store, "big", big, 3), "batch_small": await batches(store, "small", small, 3)}
    begun = time.perf_counter()
    await store.nearest("big", big.vectors[0], Selection(at=NOW), 10)
    found["first_load_ms"] = (time.perf_counter() - begun) * 1000
    for k in (10, 100):
        found[f"read_all_k{k}"] = await reading(store, "big", big, k, 40)
        found[f"read_1pct_k{k}"] = await reading(store, "small", small, k, 200)

    async def write_then_read(number: int) -> None:
        await store.commit(ChangeSet(user_id="big", now=NOW, memories=(big.record("big", number),)))
        await store.nearest("big", big.vectors[number], Selection(at=NOW), 10)

    found["write_then_nearest_ms"] = tenth(await timed(write_then_read, 20)) * 1000
    found["three_hops_ms"] = await hops(store, "big", big)
    await store.close()
    found["single_write"] = await single_writes(folder, Corpus(4096, 3))
    found["file_mb"] = (folder / "memory.db").stat().st_size / 1e6
    return found


def machine() -> dict[str, str]:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    return {
        "cpus": str(os.cpu_count()),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "numpy": np.__version__,
        "commit": commit,
    }


def show(found: dict[str, Any]) -> None:
    for name, value in found.items():
        line = "  ".join(f"{key} {number:,.2f}" for key, number in value.items()) if isinstance(value, dict) else f"{value:,.2f}"
        print(f"{name:24} {line}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "store.json")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = anyio.run(run, given.memories, Path(folder))
    show(found)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    rounded = json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 3))
    given.out.write_text(json.dumps({"memories": given.memories, "machine": machine(), "results": rounded}, indent=2) + "\n")


if __name__ == "__main__":
    main()
