"""Text to typed tokens: each token has one symbol, so that the time grammar is a table of patterns over short symbol strings.

Symbols — values: N number, Y year-like number, O ordinal, # vague number, M month, J word that may be a month, W weekday, q word that may be one, U unit,
R relative word, G two numbers with `.` or `-`, T clock, B part of the day, A am/pm, H holiday, S season, Q quarter, h half; results: D day, I longer period,
P moment, V range of hours, F open or composed range. Small letters and digits are function words (see the word tables), `x` anything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from graphmem.language.times_calendar import Context

Read = Callable[[re.Match[str], Context], Iterable[tuple[str, Any]]]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text, `[start, end)` in characters, with what it may mean."""

    symbol: str
    value: Any
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Lexeme:
    """One row of a lexicon; `read` gives (symbol, value) pairs, or raises ValueError where the text is no such thing."""

    pattern: str
    read: Read


def constant(symbol: str, value: Any = None) -> Read:
    return lambda _match, _context: ((symbol, value),)


# One character for one, so that spans stay those of the text: full width and typographic forms, and the traditional characters of time words.
_FOLD = str.maketrans(
    "０１２３４５６７８９，：；－～／．（）　’‘–—−〜、·"
    "週後個號點鐘鍾時禮這節過來間開兩從將內現當歲農曆陽國慶聖誕復愛兒動勞親師無現還內夠結際舊遲戀萬億錢季",
    "0123456789,:;-~/.() ''---~,." + "周后个号点钟钟时礼这节过来间开两从将内现当岁农历阳国庆圣诞复爱儿动劳亲师无现还内够结际旧迟恋万亿钱季",
)


def folded(text: str) -> str:
    """Lower case with one character for each of the text's."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(character.lower() if len(character.lower()) == 1 else character for character in text)
    return lowered.translate(_FOLD)


class Lexer:
    """The rows of several lexicons as one pattern: at each place the first row that matches and reads wins."""

    def __init__(self, lexemes: Iterable[Lexeme]) -> None:
        rows = tuple(lexemes)
        self._rows = tuple((re.compile(row.pattern), row.read) for row in rows)
        bare = (re.sub(r"\(\?P<\w+>", "(?:", row.pattern) for row in rows)
        self._any = re.compile("|".join(f"(?P<g{index}>{pattern})" for index, pattern in enumerate(bare)), re.DOTALL)

    def tokens(self, text: str, original: str, context: Context) -> list[Token]:
        """Tokens of folded text; characters that no row reads become `x`, runs of them one `x`. `original` tells capitals."""
        found: list[Token] = []
        position = 0
        while (match := self._any.search(text, position)) is not None:
            if match.start() > position and not text[position : match.start()].isspace():
                found.append(_other(original, position, match.start(), found))
            end = self._read(match, (text, original), context, found)
            if end == match.start():
                end += 1
                found.append(_other(original, match.start(), end, found))
            position = end
        if not text[position:].isspace() and position < len(text):
            found.append(_other(original, position, len(text), found))
        return found

    def _read(self, match: re.Match[str], texts: tuple[str, str], context: Context, found: list[Token]) -> int:
        """Append the tokens of the first row that reads here; the end of what was read, or the start where nothing was."""
        start = match.start()
        for pattern, read in self._rows[int(str(match.lastgroup)[1:]) :]:
            row = pattern.match(texts[0], start)
            if row is None or row.end() == start:
                continue
            try:
                pairs = tuple(read(row, context))
            except (ValueError, OverflowError):
                continue
            for symbol, value in pairs:
                found.append(_other(texts[1], start, row.end(), found) if symbol == "x" else Token(symbol, value, start, row.end()))
            return row.end()
        return start


def _other(original: str, start: int, end: int, before: list[Token]) -> Token:
    """`X` for a capitalised word inside a sentence (a name), else `x`."""
    piece = original[start:end].strip()
    name = piece[:1].isupper() and bool(before) and before[-1].symbol != ";"
    return Token("X" if name else "x", None, start, end)
