"""Processes that die and processes that share one file."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import anyio
import pytest

from graphmem.stores.embedded import EmbeddedStore
from graphmem.testing.samples import ALICE, EVERYTHING, PRESENT, indexed, memory, vector

WRITER = Path(__file__).with_name("embedded_writer.py")
pytestmark = pytest.mark.slow


def _start(path: Path, prefix: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(WRITER), str(path), prefix, str(count)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _found(path: Path, ids: list[str]) -> set[str]:
    """Which of these are stored, indexed by words and by vectors; the file must be sound."""

    async def look() -> set[str]:
        store = EmbeddedStore(path)
        await store.open()
        stored = {each.id for each in await store.memories("writer", ids)}
        worded = {hit.id for hit in await store.best_words("writer", ["common"], EVERYTHING, 100_000)}
        near = {hit.id for hit in await store.nearest("writer", vector(1), EVERYTHING, 100_000)}
        assert [line for line in await store.check(deep=True) if not line[1]] == []
        await store.close()
        return stored & worded & near

    return anyio.run(look)


def test_twenty_kills_lose_no_acknowledged_write(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    chance = random.Random(20)
    acknowledged: list[str] = []
    for round_ in range(20):
        child = _start(path, f"r{round_}", 100_000)
        assert child.stdout is not None
        acknowledged.append(child.stdout.readline().strip())
        time.sleep(chance.uniform(0.02, 0.4))
        child.send_signal(signal.SIGKILL)
        rest, _ = child.communicate()
        # A line cut off by the kill was acknowledged to nobody.
        acknowledged.extend(line for line in rest.split("\n")[:-1])
        assert set(acknowledged) - _found(path, acknowledged) == set()
    assert len(acknowledged) > 100


def test_four_processes_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    children = [_start(path, f"p{number}", 200) for number in range(4)]
    acknowledged: list[str] = []
    for child in children:
        out, err = child.communicate(timeout=240)
        assert (child.returncode, err) == (0, "")
        acknowledged.extend(out.split())
    assert len(acknowledged) == 800
    assert _found(path, acknowledged) == set(acknowledged)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_reads_and_writes(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / "memory.db")

    async def begin() -> None:
        await store.open()
        await store.commit(indexed(ALICE, memory("parent")))
        await store.nearest(ALICE, vector(1), PRESENT, 3)

    async def in_child() -> bool:
        await store.commit(indexed(ALICE, memory("child")))
        return len(await store.nearest(ALICE, vector(1), PRESENT, 9)) == 2

    async def finish() -> set[str]:
        await store.commit(indexed(ALICE, memory("after")))
        found = {hit.id for hit in await store.nearest(ALICE, vector(1), PRESENT, 9)}
        await store.close()
        return found

    anyio.run(begin)
    pid = os.fork()
    if pid == 0:
        os._exit(0 if anyio.run(in_child) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert anyio.run(finish) == {"parent", "child", "after"}
