"""Spans for whoever configures OpenTelemetry; without an SDK they cost nothing and go nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=1)
def _tracer() -> Any:
    from opentelemetry import trace  # noqa: PLC0415 — not loaded at import

    return trace.get_tracer("graphmem")


@contextmanager
def span(name: str, **attributes: str | float | bool) -> Iterator[None]:
    """`graphmem.<name>`; attributes are counts and kinds, never content."""
    with _tracer().start_as_current_span(f"graphmem.{name}", attributes={f"graphmem.{key}": value for key, value in attributes.items()}):
        yield
