from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.core.sanitising import check_scope, clean
from graphmem.errors import InvalidInput


@given(st.text())
def test_whatever_comes_in_is_storable_or_refused(text: str) -> None:
    try:
        cleaned, notes = clean(text)
    except InvalidInput:
        return
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned
    assert "\x00" not in cleaned
    assert clean(cleaned) == (cleaned, ())
    assert notes or cleaned == text


@pytest.mark.parametrize("user_id", ["a", "*", 'O\'Brien "x"', "用户🙂", "x" * 256, "a\nb", "`; DROP", " "])
def test_lesson_104_any_characters_make_a_scope(user_id: str) -> None:
    assert check_scope(user_id) == user_id


@pytest.mark.parametrize("user_id", ["", "x" * 257, "nul\x00", "half\ud800"])
def test_lesson_104_an_empty_or_unstorable_scope_is_refused(user_id: str) -> None:
    with pytest.raises(InvalidInput, match="user_id"):
        check_scope(user_id)
