"""Run as a program by the crash tests: writes under one user, and prints each id once its write is acknowledged."""

from __future__ import annotations

import sys

import anyio

from graphmem.stores.embedded import EmbeddedStore
from graphmem.testing.samples import episode, indexed, passage


async def main(path: str, prefix: str, count: int) -> None:
    store = EmbeddedStore(path)
    await store.open()

    async def write(lane: int) -> None:
        for number in range(lane, count, 4):
            key = f"{prefix}-{number}"
            record = episode(key, "writer", minute=number)
            await store.commit(indexed("writer", record, passages=(passage(key, f"word{number} common", (1.0, number)),)))
            sys.stdout.write(f"{key}\n")
            sys.stdout.flush()

    async with anyio.create_task_group() as group:
        for lane in range(4):
            group.start_soon(write, lane)
    await store.close()


if __name__ == "__main__":
    anyio.run(main, sys.argv[1], sys.argv[2], int(sys.argv[3]))
