"""Text to the pieces of a subword vocabulary, with their characters and words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any, Protocol

from graphmem.text import CJK

SPACE = "▁"
_CLUSTER = re.compile(r".[\u0300-\u036f\u3099\u309a]*", re.DOTALL)
_WORD = re.compile(r"\S+")
_CACHED_LENGTH = 32


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of one text without special tokens; `spans` are characters of the text as it was given."""

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]

    def cut(self, count: int) -> Pieces:
        return Pieces(self.ids[:count], self.spans[:count])


class Tokenizer(Protocol):
    def encode(self, text: str) -> Pieces: ...
    def wrap(self, ids: Sequence[int]) -> list[int]:
        """Put the ids between the model's special tokens."""
        ...

    def piece(self, number: int) -> str: ...


def word_numbers(text: str, spans: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """For each span the number of its word.

    Letters and digits without a break are one word; a Chinese piece and a mark stand alone; a piece without characters (SentencePiece's mark
    of a word's start) belongs to the next.
    """
    numbers: list[int] = []
    word, end, joined, opened = -1, -1, False, False
    for start, stop in spans:
        piece = text[start:stop].strip()
        letters = bool(piece) and not CJK.search(piece)
        if not (start == end and (opened or (joined and letters and piece[0].isalnum()))):
            word += 1
        numbers.append(word)
        end, opened, joined = stop, not piece, letters and piece[-1].isalnum()
    return tuple(numbers)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A Unigram model as SentencePiece defines it; `folding` maps a character to what stands for it."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    folding: Mapping[int, str]
    begin: int
    end: int
    unknown: int


class UnigramTokenizer:
    """The likeliest pieces of each word (Viterbi; Kudo 2018), in Python: it is there in a tenth of a second, where building a trie takes two."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._scores = vocabulary.scores
        marks = {number for number, piece in enumerate(vocabulary.pieces) if piece.startswith("<") and vocabulary.scores[number] == 0.0}
        self._ids = dict(zip(vocabulary.pieces, range(len(vocabulary.pieces)), strict=True))
        for number in marks:
            del self._ids[vocabulary.pieces[number]]
        self._longest = max(map(len, self._ids))
        self._unknown_score = min(self._scores) - 10.0
        self._cached = lru_cache(maxsize=1 << 16)(self._viterbi)

    def encode(self, text: str) -> Pieces:
        folded, origins = fold_characters(text, self._vocabulary.folding)
        ids: list[int] = []
        spans: list[tuple[int, int]] = []
        for match in _WORD.finditer(folded):
            word = SPACE + match[0]
            found = self._cached(word) if len(word) <= _CACHED_LENGTH else self._viterbi(word)
            first = match.start() - 1
            for number, start, stop in found:
                ids.append(number)
                low, high = max(first + start, first + 1), first + stop
                if high <= low:  # the mark of the word's start alone
                    spans.append((origins[low], origins[low]) if origins else (low, low))
                else:
                    spans.append((origins[low], origins[high - 1] + 1) if origins else (low, high))
        return Pieces(tuple(ids), tuple(spans))

    def wrap(self, ids: Sequence[int]) -> list[int]:
        return [self._vocabulary.begin, *ids, self._vocabulary.end]

    def piece(self, number: int) -> str:
        return self._vocabulary.pieces[number]

    def _viterbi(self, word: str) -> tuple[tuple[int, int, int], ...]:
        """(id, start, stop) of the best path; a character that no piece covers is unknown, a run of them is one piece."""
        length, ids, scores, longest = len(word), self._ids, self._scores, self._longest
        best: list[float] = [0.0] + [-inf] * length
        back: list[tuple[int, int]] = [(0, 0)] * (length + 1)
        for start in range(length):
            base, single = best[start], False
            for stop in range(start + 1, min(start + longest, length) + 1):
                number = ids.get(word[start:stop])
                if number is not None:
                    single = single or stop == start + 1
                    if base + scores[number] > best[stop]:
                        best[stop], back[stop] = base + scores[number], (number, start)
            if not single and base + self._unknown_score > best[start + 1]:
                best[start + 1], back[start + 1] = base + self._unknown_score, (self._vocabulary.unknown, start)
        return self._path(back, length)

    def _path(self, back: Sequence[tuple[int, int]], length: int) -> tuple[tuple[int, int, int], ...]:
        path: list[tuple[int, int, int]] = []
        stop = length
        while stop > 0:
            number, start = back[stop]
            if path and number == self._vocabulary.unknown == path[-1][0]:
                path[-1] = (number, start, path[-1][2])
            else:
                path.append((number, start, stop))
            stop = start
        return tuple(reversed(path))


def fold_characters(text: str, folding: Mapping[int, str]) -> tuple[str, list[int] | None]:
    """Spell the text as the vocabulary does, and give for each of its characters the index of the one it comes from (None: the same)."""
    if unicodedata.is_normalized("NFC", text) and text.translate(folding) == text:
        return text, None
    parts: list[str] = []
    origins: list[int] = []
    for match in _CLUSTER.finditer(text):
        part = unicodedata.normalize("NFC", match[0]).translate(folding)
        parts.append(part)
        origins.extend([match.start()] * len(part))
    return "".join(parts), origins


class FolderTokenizer:
    """A `tokenizer.json` of the Hugging Face format, read by its own library."""

    def __init__(self, file: str) -> None:
        from tokenizers import Tokenizer as Library  # noqa: PLC0415 — an extra, loaded when used

        self._library: Any = Library.from_file(file)
        self._library.no_truncation()
        self._library.no_padding()

    def encode(self, text: str) -> Pieces:
        found = self._library.encode(text, add_special_tokens=False)
        return Pieces(tuple(found.ids), tuple(found.offsets))

    def wrap(self, ids: Sequence[int]) -> list[int]:
        frame = self._library.encode("").ids
        middle = len(frame) - 1 if len(frame) > 1 else len(frame)
        return [*frame[:middle], *ids, *frame[middle:]]

    def piece(self, number: int) -> str:
        return str(self._library.id_to_token(number))
