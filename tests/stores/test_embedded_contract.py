"""The embedded store keeps the contract, in a file and in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphmem.stores.embedded import EmbeddedStore
from graphmem.testing import StoreContract
from graphmem.testing.samples import OpenStore


class TestEmbeddedFile(StoreContract):
    @pytest.fixture
    def open_store(self, tmp_path: Path) -> OpenStore:
        return lambda: EmbeddedStore(tmp_path / "memory.db")


class TestEmbeddedInMemory(StoreContract):
    """One handle only: what is in memory ends with it."""

    test_what_was_committed_is_there_after_reopening: Any = None
    test_two_open_stores_see_each_other: Any = None

    @pytest.fixture
    def open_store(self) -> OpenStore:
        return lambda: EmbeddedStore(":memory:")
