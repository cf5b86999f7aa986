"""What the commands share: their common options, the opened memory, reading arguments, bars."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from graphmem.sync import Memory

Store = Annotated[str | None, typer.Option("--store", envvar="GRAPHMEM_STORE", help="A file, or a neo4j:// URL.")]
User = Annotated[str, typer.Option("--user", envvar="GRAPHMEM_USER", help="Whose memory.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Where = Annotated[str | None, typer.Option("--filter", help='A filter as JSON, such as {"type": "Goal"}.')]
At = Annotated[str | None, typer.Option("--at", help="What held then, as known now.")]
AsOf = Annotated[str | None, typer.Option("--as-of", help="What was believed then.")]
Session = Annotated[str | None, typer.Option("--session", help="The session that it belongs to.")]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="How many at most.")]


@dataclass(frozen=True, slots=True)
class Face:
    """An opened memory and how its answers are printed."""

    memory: Memory
    json: bool

    def print(self, value: Any, pretty: Any) -> None:
        from graphmem.serve import show

        if self.json:
            show.as_json(value)
        else:
            pretty(value)


@contextmanager
def opened(store: str | None, user: str, *, json: bool = False, **options: Any) -> Iterator[Face]:
    from graphmem.sync import Memory

    build_embedder()
    with Memory.open(store, user_id=user, **options) as memory:
        yield Face(memory, json)


def build_embedder() -> None:
    """Builds the local model with a bar, once, where it is the one in use."""
    from graphmem.config import load_settings
    from graphmem.engine import installed

    settings = load_settings()
    if settings.embedder != "auto" or not installed("onnxruntime", "onnx"):
        return
    from graphmem.embedders import e5_weights

    if e5_weights.is_complete(settings.cache / e5_weights.FOLDER) or e5_weights.packaged_weights() is None:
        return
    from graphmem.embedders.onnx import OnnxEmbedder

    typer.echo("building the local embedder; this happens once and takes up to a minute", err=True)
    with bar("building the local embedder") as progress:
        OnnxEmbedder.default(settings.cache, progress=progress)


def filter_of(text: str | None) -> dict[str, Any] | None:
    from graphmem.errors import InvalidInput

    if text is None:
        return None
    try:
        found = json.loads(text)
    except ValueError as error:
        raise InvalidInput(f"--filter is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise InvalidInput('--filter must be a JSON object such as {"type": "Goal"}')
    return found


def time_of(text: str | None) -> datetime | None:
    from graphmem.temporal import to_moment

    return None if text is None else to_moment(text)


def slots_of(pairs: list[str]) -> dict[str, Any]:
    """`name=value` pairs; a value that is JSON is taken as such."""
    from graphmem.errors import InvalidInput

    found: dict[str, Any] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign:
            raise InvalidInput(f"{pair!r} is no slot; write name=value")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


@contextmanager
def bar(title: str) -> Iterator[Any]:
    """A callable (done, total) that draws a bar on a terminal's stderr, and nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.progress import Progress

    from graphmem.serve.show import err

    with Progress(console=err) as progress:
        task = progress.add_task(title, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
