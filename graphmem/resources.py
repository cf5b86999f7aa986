"""Finds the data beside the code: queries, migrations, ontologies, browser files."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from graphmem.errors import ConfigurationError

Queries = TypeVar("Queries")


@lru_cache(maxsize=1)
def root() -> Path:
    """The folder that holds `cypher/` and `ontology/`: inside the wheel, or the checkout for editable installs."""
    inside = Path(__file__).parent / "_data"
    return inside if inside.is_dir() else Path(__file__).parent.parent


def path(*parts: str) -> Path:
    return root().joinpath(*parts)


def text(*parts: str) -> str:
    return path(*parts).read_text(encoding="utf-8")


def load_queries(shape: type[Queries], *folder: str, suffix: str) -> Queries:
    """A dataclass whose fields are the query files of a folder, one each; a field without a file or a file without a field is refused."""
    named = {field.name for field in fields(shape)}  # type: ignore[arg-type]  # every shape is a dataclass of texts
    found = {file.stem: file for file in path(*folder).glob(f"*{suffix}")}
    if missing := sorted(named - found.keys()):
        raise ConfigurationError(f"query files are missing in {'/'.join(folder)}: {', '.join(missing)}; reinstall graphmem")
    if unknown := sorted(found.keys() - named):
        raise ConfigurationError(f"query files in {'/'.join(folder)} that nothing uses: {', '.join(unknown)}")
    texts: dict[str, Any] = {name: found[name].read_text(encoding="utf-8") for name in named}
    return shape(**texts)


def migrations(*folder: str, suffix: str) -> list[tuple[int, str]]:
    """Numbered scripts (`0001_name`) in order."""
    return sorted((int(file.name[:4]), file.read_text(encoding="utf-8")) for file in path(*folder).glob(f"[0-9]*{suffix}"))
