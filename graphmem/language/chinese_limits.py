"""Constraints, standing instructions and rules in Chinese."""

from __future__ import annotations

from graphmem.language.chinese import Sentence
from graphmem.language.scene import Scene


def read_limits(sentence: Sentence, scene: Scene) -> set[int]:
    return set()
