"""Runs the Python examples of the README and the documents as tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser


@pytest.fixture(scope="module")
def in_scratch_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Examples write `memory.db` into the current folder, as a reader's would."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("examples"))
    yield
    os.chdir(before)


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), SkipParser()], patterns=["README.md", "docs/**/*.md"], fixtures=["in_scratch_folder"]
).pytest()
