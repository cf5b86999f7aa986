from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.embedders.pieces import UnigramTokenizer, Vocabulary, fold_characters, word_numbers

MARKS = ("<s>", "<pad>", "</s>", "<unk>")
WORDS = {
    "▁": -2.0,
    "▁he": -3.0,
    "ll": -3.5,
    "▁hello": -4.0,
    "o": -5.0,
    "h": -6.0,
    "e": -6.0,
    "l": -6.0,
    "我": -5.0,
    "在": -5.0,
    "我在": -7.0,
    "!": -4.0,
}
FOLDING = {ord("Ａ"): "h", ord("…"): "...", ord("\n"): " ", ord("\x07"): ""}


@lru_cache(maxsize=1)
def tokenizer() -> UnigramTokenizer:
    pieces = (*MARKS, *WORDS)
    return UnigramTokenizer(Vocabulary(pieces, (0.0,) * len(MARKS) + tuple(WORDS.values()), FOLDING, begin=0, end=2, unknown=3))


@pytest.mark.parametrize(
    ("text", "pieces", "spans"),
    [
        ("hello", ["▁hello"], [(0, 5)]),
        ("hello!", ["▁hello", "!"], [(0, 5), (5, 6)]),
        ("  hello \n hello ", ["▁hello", "▁hello"], [(2, 7), (10, 15)]),
        ("我在", ["▁", "我在"], [(0, 0), (0, 2)]),
        ("zzz", ["▁", "<unk>"], [(0, 0), (0, 3)]),
        ("hez", ["▁he", "<unk>"], [(0, 2), (2, 3)]),
        ("Ａello", ["▁hello"], [(0, 5)]),
        ("<s>", ["▁", "<unk>"], [(0, 0), (0, 3)]),
        ("\x07", [], []),
        ("", [], []),
    ],
)
def test_pieces_and_their_characters(text: str, pieces: list[str], spans: list[tuple[int, int]]) -> None:
    found = tokenizer().encode(text)
    assert ([tokenizer().piece(number) for number in found.ids], list(found.spans)) == (pieces, spans)


def test_ids_stand_between_the_marks() -> None:
    assert tokenizer().wrap([7, 8]) == [0, 7, 8, 2]


@given(st.text(alphabet="helo我在 !…\nzé\u0301", max_size=60))
def test_spans_go_forward_and_stay_inside(text: str) -> None:
    spans = tokenizer().encode(text).spans
    assert all(0 <= start <= stop <= len(text) for start, stop in spans)
    assert all(left[0] <= right[0] for left, right in pairwise(spans))


@given(st.text(max_size=40))
def test_folding_keeps_an_origin_for_each_character(text: str) -> None:
    folded, origins = fold_characters(text, FOLDING)
    assert origins is None or (len(origins) == len(folded) and origins == sorted(origins))
    assert origins is not None or folded == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("text", "spans", "words"),
    [
        ("hello!", [(0, 3), (3, 5), (5, 6)], (0, 0, 1)),
        ("two words", [(0, 3), (4, 7), (7, 9)], (0, 1, 1)),
        ("我在这", [(0, 0), (0, 1), (1, 3)], (0, 0, 1)),
        ("id42", [(0, 2), (2, 4)], (0, 0)),
        ("x我", [(0, 1), (1, 2)], (0, 1)),
        ("a-b", [(0, 1), (1, 2), (2, 3)], (0, 1, 2)),
        ("", [], ()),
    ],
)
def test_word_numbers(text: str, spans: list[tuple[int, int]], words: tuple[int, ...]) -> None:
    assert word_numbers(text, spans) == words
