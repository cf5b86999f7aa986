"""For tests of graphmem and of what is built on it: a clock that stands, a model that replays, an embedder without weights, a store's contract.

Another store proves itself by subclassing `StoreContract` with a fixture `open_store` that returns a function: each call gives one more handle
on the same data, which is empty when the test begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphmem.testing.contract import StoreContract
from graphmem.testing.fakes import FrozenClock, ScriptedModel

if TYPE_CHECKING:
    from graphmem.embedders.fake import FakeEmbedder

__all__ = ["FakeEmbedder", "FrozenClock", "ScriptedModel", "StoreContract"]


def __getattr__(name: str) -> Any:
    if name == "FakeEmbedder":
        from graphmem.embedders.fake import FakeEmbedder  # noqa: PLC0415 — only who asks for it loads it

        return FakeEmbedder
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
