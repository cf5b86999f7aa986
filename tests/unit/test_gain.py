"""What adds information: gain, choice, near-copies, one place for a memory and its turn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.core.gain import choose, gain, near_copies, one_place, says_more, similarity

NONE = np.zeros((0, 2), dtype=np.float32)
EAST, NORTH = np.array([[1.0, 0.0]], dtype=np.float32), np.array([[0.0, 1.0]], dtype=np.float32)


def test_what_is_held_already_adds_less() -> None:
    vectors = np.concatenate([EAST, NORTH])
    assert gain(np.array([2.0, 1.0]), vectors, EAST, 0.5).tolist() == [0.5, 0.0]
    assert gain(np.array([1.0, 1.0]), vectors, EAST, 0.5).tolist() == [0.5, 1.0]
    assert gain(np.array([1.0, 1.0]), vectors, NONE).tolist() == [1.0, 1.0]
    assert similarity(NONE, EAST).tolist() == []
    assert similarity(-EAST, EAST).tolist() == [0.0]
    assert gain(np.zeros(0), NONE, EAST).tolist() == []


def test_a_second_copy_gives_way_and_trade_nothing_keeps_the_order() -> None:
    vectors = np.concatenate([EAST, EAST, NORTH])
    relevance = np.array([3.0, 2.9, 2.0])
    assert choose(relevance, vectors, NONE, 3, trade=2.0) == [0, 2, 1]
    assert choose(relevance, vectors, NONE, 2, trade=0.0) == [0, 1]
    assert choose(np.zeros(0), NONE, NONE, 5) == []


@given(st.lists(st.floats(-5, 5), max_size=12), st.integers(0, 12))
def test_every_choice_is_made_once(scores: list[float], limit: int) -> None:
    vectors = np.tile(EAST, (len(scores), 1))
    chosen = choose(np.array(scores), vectors, NONE, limit)
    assert len(chosen) == len(set(chosen)) == min(limit, len(scores))


COPIES = [
    ([["tea", "green"], ["green", "tea"]], {1: 0}),
    ([["budget", "5000"], ["budget", "7000"]], {}),
    ([[], []], {}),
    ([["a"], ["b"], ["a"], ["b"]], {2: 0, 3: 1}),
]


@pytest.mark.parametrize(("tokens", "copies"), COPIES)
def test_near_copies_point_to_the_first(tokens: list[list[str]], copies: dict[int, int]) -> None:
    assert near_copies(tokens) == copies


PLACES = [
    (["fact", "turn"], {"fact": "turn"}, {"fact": "fact", "turn": "fact"}),
    (["turn", "fact"], {"fact": "turn"}, {"turn": "turn", "fact": "turn"}),
    (["one", "two", "turn"], {"one": "turn", "two": "turn"}, {"one": "one", "two": "two", "turn": "one"}),
    (["turn", "other"], {}, {"turn": "turn", "other": "other"}),
]


@pytest.mark.parametrize(("ids", "turns", "stands"), PLACES)
def test_a_memory_and_its_turn_take_one_place(ids: list[str], turns: dict[str, str], stands: dict[str, str]) -> None:
    assert one_place(ids, turns) == stands


def test_a_turn_says_more_when_its_words_go_beyond_what_was_learned() -> None:
    assert says_more("I moved to Porto and adopted two loud parrots", ["Mira lives in Porto"])
    assert not says_more("The oak is ninety years old.", ["The oak is ninety years old"])
    assert not says_more("", ["x"])
