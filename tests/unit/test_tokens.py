"""Search tokens: what is kept, what is folded, and that both kinds of index tokenizer agree on them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.core.tokens import MAX_QUERY_TOKENS, MAX_TOKENS, query_tokens, search_text, search_tokens

INDEXED = [
    ("Priya's sisters were baking cakes", ["priya", "sister", "bake", "cake"]),
    ("I don't think it's here", ["think"]),
    ("We paid 12,500 dollars in 2024", ["paid", "12500", "dollar", "2024"]),
    ("Café Zoë", ["cafe", "zoe"]),
    ("ＡＢＣ ｃａｒｓ", ["abc", "car"]),
    ("The Who", ["the", "who"]),
    ("", []),
    ("!?… ", []),
    ("iPhone15手机", ["iphone15", "手机"]),
    ("猫", ["猫"]),
    ("我的貓叫豆豆", ["的猫", "猫", "猫叫", "叫豆", "豆豆"]),
    ("東京タワー", ["东京", "京タ", "タワ", "ワー"]),
    ("snake_case", ["snake", "case"]),
]


@pytest.mark.parametrize(("text", "tokens"), INDEXED)
def test_a_text_becomes_these_tokens(text: str, tokens: list[str]) -> None:
    assert search_tokens(text) == tokens
    assert search_text(text) == " ".join(tokens)


def test_a_grammar_character_alone_is_not_lost() -> None:
    assert search_tokens("我") == ["我"]


ASKED = [
    ("What did Priya's sister bake, and what else did she bake?", ("Priya",), ["sister", "bake"]),
    ("What is Priya's name?", (), ["priya"]),
    ("Who is Priya?", ("Priya",), ["priya"]),
    ("How are you going?", (), ["go"]),
    ("What?", (), ["what"]),
    ("我的猫叫什么名字？", (), ["的猫", "猫", "猫叫", "名字"]),
    ("什么时候去的上海", (), ["去", "去的", "的上", "上海"]),
    ("谁？", (), ["谁"]),
    ("", (), []),
]


@pytest.mark.parametrize(("question", "names", "tokens"), ASKED)
def test_a_question_keeps_what_it_asks_about(question: str, names: tuple[str, ...], tokens: list[str]) -> None:
    assert query_tokens(question, names) == tokens


def test_traditional_and_simplified_agree() -> None:
    assert search_tokens("電腦和軟體") == search_tokens("电脑和软体")


def test_counts_are_capped() -> None:
    assert len(search_tokens("river " * 9000)) == MAX_TOKENS
    assert len(search_tokens("河流" * 9000)) == MAX_TOKENS
    assert len(query_tokens(" ".join(f"w{i}" for i in range(500)))) == MAX_QUERY_TOKENS
    assert max(map(len, search_tokens("x" * 500))) == 64


@given(st.text(max_size=80))
def test_tokens_are_letters_and_digits_for_any_text(text: str) -> None:
    for token in search_tokens(text) + query_tokens(text):
        assert token
        assert all(unicodedata.category(character)[0] in "LN" for character in token)
    assert search_text(text).split() == search_tokens(text)


@given(st.text(max_size=80))
def test_every_query_token_of_a_text_is_indexed_or_nothing_but_function_words(text: str) -> None:
    tokens = query_tokens(text)
    assert len(set(tokens)) == len(tokens)
    if search_tokens(text):
        assert tokens
