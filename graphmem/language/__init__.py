"""Reading text in English and Chinese: times, quantities, words, what a turn states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphmem.language.times import TimeMention, find_times

__all__ = ["TimeMention", "find_times"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from graphmem.language import times  # noqa: PLC0415 — the grammar loads on first use

        return getattr(times, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
