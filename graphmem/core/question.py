"""A question made ready for ranking: asked in the first person, its words, whom it asks about, the days it names. No model call."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.core.named_days import NamedDay, named_days
from graphmem.core.tokens import query_tokens
from graphmem.text import CJK, fold_name, is_chinese


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    embedded: str
    """What the embedder reads: the participants' names as "I" and "my"."""
    tokens: tuple[str, ...]
    asked: str | None = None
    """Folded name of the one participant that the question is about."""
    days: tuple[NamedDay, ...] = ()


def _spellings(name: str) -> tuple[str, ...]:
    """Give the name, and its first word where it has several."""
    first, *_ = name.split()
    return (name,) if first == name or len(first) < 2 else (name, first)


def _pattern(spelling: str) -> re.Pattern[str]:
    escaped = re.escape(spelling)
    return re.compile(escaped if CJK.search(spelling) else rf"\b{escaped}\b")


def first_person(question: str, names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Put "I" and "my" ("我") in place of participants' names; also the names that stood there, as given."""
    text, met = question, []
    chinese = is_chinese(question)
    for name in sorted(names, key=len, reverse=True):
        for spelling in _spellings(name):
            pattern = _pattern(spelling)
            if pattern.search(text):
                met.append(name)
                own = text if chinese else re.sub(rf"{pattern.pattern}['’]s?(?!\w)", "my", text)
                text = pattern.sub("我" if chinese else "I", own)
                break
    return text, tuple(met)


def prepare(question: str, speakers: Sequence[str]) -> Question:
    """Make the question ready; `speakers` are the names of the scope's speakers (none: a store without dialogue)."""
    embedded, met = first_person(question, [name for name in speakers if name.strip()])
    asked = fold_name(met[0]) if len(set(map(fold_name, met))) == 1 else None
    spelled = tuple(spelling for name in met for spelling in _spellings(name))
    return Question(question, embedded, tuple(query_tokens(question, spelled)), asked, named_days(question))
