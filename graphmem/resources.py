"""Finds the data beside the code: queries, migrations, ontologies, browser files."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def root() -> Path:
    """The folder that holds `cypher/` and `ontology/`: inside the wheel, or the checkout for editable installs."""
    inside = Path(__file__).parent / "_data"
    return inside if inside.is_dir() else Path(__file__).parent.parent


def path(*parts: str) -> Path:
    return root().joinpath(*parts)


def text(*parts: str) -> str:
    return path(*parts).read_text(encoding="utf-8")
