"""Packed token vectors: size, faithfulness, and the comparison with a question."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.core.late import Packing, centred, late_query, pack, token_matrix, token_weights
from graphmem.errors import InvalidInput
from graphmem.ports import TokenVectors, Vector

DIMENSIONS = 384


def vectors(seed: int, n: int, dimensions: int = DIMENSIONS) -> Vector:
    found: Vector = np.random.default_rng(seed).normal(size=(n, dimensions)).astype(np.float32)
    return found


def text_of(words: list[str], found: Vector) -> tuple[str, TokenVectors]:
    """A text whose pieces are these words, one space between."""
    starts = np.cumsum([0, *(len(word) + 1 for word in words)])
    spans = tuple((int(start), int(start) + len(word)) for start, word in zip(starts, words, strict=False))
    return " ".join(words), TokenVectors(tuple(words), tuple(range(len(words))), spans, found)


MEAN: Vector = np.full(DIMENSIONS, 0.1, dtype=np.float32)


@pytest.mark.parametrize(("packing", "most", "closeness"), [("int8", 386, 0.999), ("compact", 98, 0.9)])
def test_packed_vectors_stay_close_to_themselves(packing: Packing, most: int, closeness: float) -> None:
    words = [f"w{i}" for i in range(20)]
    _, tokens = text_of(words, vectors(1, 20))
    blob = pack(tokens, MEAN, packing)
    assert blob is not None
    assert len(blob) <= 20 * most + 6
    asked = centred(tokens.vectors, MEAN)
    best = token_matrix(asked, [(blob,)])
    assert best.shape == (20, 1)
    assert float(best.min()) > closeness
    exact = (asked @ asked.T).max(axis=1)
    assert np.abs(best[:, 0] - exact).max() < 1.001 - closeness


def test_punctuation_and_off_store_nothing() -> None:
    _, tokens = text_of(["!", "…"], vectors(1, 2))
    assert pack(tokens, MEAN, "int8") is None
    _, tokens = text_of(["word"], vectors(1, 1))
    assert pack(tokens, MEAN, "off") is None


def test_both_forms_and_several_passages_meet_in_one_matrix() -> None:
    _, one = text_of(["one"], vectors(1, 1))
    _, two = text_of(["two"], vectors(2, 1))
    query = centred(np.concatenate([one.vectors, two.vectors]), MEAN)
    exact, compact = pack(one, MEAN, "int8"), pack(two, MEAN, "compact")
    assert exact is not None
    assert compact is not None
    best = token_matrix(query, [(exact, compact), (), (compact,)])
    assert best[0, 0] > 0.99
    assert best[1, 0] == pytest.approx(best[1, 2])
    assert best[1, 0] > 0.9
    assert best[:, 1].tolist() == [-1.0, -1.0]
    assert token_matrix(query, [(), ()]).tolist() == [[-1.0, -1.0]] * 2


@pytest.mark.parametrize("head", [b"\x02\x01", b"\x01\x09"])
def test_an_unknown_form_names_the_way_out(head: bytes) -> None:
    with pytest.raises(InvalidInput, match="reembed"):
        token_matrix(vectors(1, 1), [(head + b"\x00" * 8,)])


@settings(max_examples=25)
@given(st.integers(1, 8), st.integers(5, 50), st.sampled_from(["int8", "compact"]))
def test_any_number_of_dimensions_packs(n: int, dimensions: int, packing: Packing) -> None:
    _, tokens = text_of(["w"] * n, vectors(n, n, dimensions))
    mean = np.zeros(dimensions, dtype=np.float32)
    blob = pack(tokens, mean, packing)
    assert blob is not None
    best = token_matrix(centred(tokens.vectors, mean), [(blob,)])
    assert float(best.max()) <= 1.02
    assert float(best.min()) > 0.5


def test_question_words_weigh_nothing_and_rare_words_most() -> None:
    text, tokens = text_of(["What", "did", "I", "paint", "?"], vectors(3, 5))
    late = late_query(text, tokens, MEAN)
    assert late.vectors.shape == (2, DIMENSIONS)
    weights = token_weights(late, [["paint"], ["paint", "wall"], ["wall"]])
    assert weights[0] > weights[1] > 0
    assert float(weights.sum()) == pytest.approx(1.0)


def test_a_question_of_question_words_keeps_them() -> None:
    text, tokens = text_of(["What", "?"], vectors(3, 2))
    assert token_weights(late_query(text, tokens, MEAN), []).tolist() == [1.0]


def test_the_pieces_of_a_word_share_its_weight() -> None:
    tokens = TokenVectors(("▁pot", "tery", "▁wheel"), (0, 0, 1), ((0, 3), (3, 7), (8, 13)), vectors(4, 3))
    late = late_query("pottery wheel", tokens, MEAN)
    assert late.words == (("potteri",), ("potteri",), ("wheel",))
    assert late.shares == pytest.approx([0.5**0.5, 0.5**0.5, 1.0])


def test_chinese_pieces_are_their_own_words() -> None:
    tokens = TokenVectors(("什么", "时候", "去", "上海A", "b"), (0, 1, 2, 3, 4), ((0, 2), (2, 4), (4, 5), (5, 7), (8, 9)), vectors(4, 5))
    late = late_query("什么时候去上海Xb", tokens, MEAN)
    assert late.words == (("去",), ("上海",), ("xb",))
    assert late.shares.tolist() == [1.0, 1.0, 1.0]
