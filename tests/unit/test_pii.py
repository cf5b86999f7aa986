"""Personal data by pattern and check digit, in both languages; names with the extra."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import ConfigurationError
from graphmem.language.pii import KINDS, Personal, Screen, find, luhn, redacted

PATTERNS = frozenset(KINDS) - {"name"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Call me at 555-123-4567 or mail bo.li@mail.example.org", "Call me at [PHONE] or mail [EMAIL]"),
        ("+44 20 7946 0958; +86 138-1234-5678; (555) 123-4567", "[PHONE]; [PHONE]; [PHONE]"),
        ("电话010-12345678转3", "电话[PHONE]转3"),
        ("邮箱是bo@example.cn。", "邮箱是[EMAIL]。"),
        ("我的手机号是13812345678，身份证11010519491231002X", "我的手机号是[PHONE]，身份证[ID_CARD]"),
        ("我的电话１３８１２３４５６７８", "我的电话[PHONE]"),
        ("卡号 4111 1111 1111 1111", "卡号 [BANK_CARD]"),
        ("SSN 123-45-6789", "SSN [ID_CARD]"),
        ("server 192.168.1.10 and fe80::1", "server [IP] and [IP]"),
    ],
)
def test_what_is_personal_is_found(text: str, expected: str) -> None:
    assert Screen("redact", PATTERNS)(text)[0] == expected


@pytest.mark.parametrize(
    "text",
    [
        "at 12:30:45 on 2026-03-10, version 1.2.3",
        "the order 2026031012345678 costs 5,000,000 CNY",
        "card 4111 1111 1111 1112 fails its check",
        "号码110105194912310021不是身份证",
        "SSN 666-45-6789",
        "ip 300.1.1.1, std::vector, a::b",
        "0000 0000 0000 0000",
        "room 1204, 2026年3月10日，共12345元",
        "",
    ],
)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert Screen("redact", PATTERNS)(text) == (text, (), {})


def test_only_the_kinds_asked_for_are_found() -> None:
    text = "bo@example.org 555-123-4567"
    assert find(text, {"email"}) == [Personal("email", 0, 14)]
    assert find(text, frozenset()) == []


def test_a_screen_says_what_it_found_and_where() -> None:
    text, notes, marks = Screen("redact", PATTERNS)("mail a@b.org, b@b.org, 555-123-4567")
    assert notes == ("redacted 2 email, 1 phone",)
    assert [text[one["start"] : one["end"]] for one in marks["pii"]] == ["[EMAIL]", "[EMAIL]", "[PHONE]"]


@pytest.mark.parametrize(("digits", "expected"), [("79927398713", True), ("79927398710", False), ("4111111111111111", True)])
def test_luhn(digits: str, expected: bool) -> None:
    assert luhn(digits) is expected


@given(st.text(alphabet=st.sampled_from("0123456789 -+()@.:xXab１号码，"), max_size=80))
def test_any_text_is_screened_and_what_is_left_holds_nothing(text: str) -> None:
    found = find(text, PATTERNS)
    cleaned, marks = redacted(text, found)
    assert all(one.start < one.end for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert [cleaned[one.start : one.end] for one in marks] == [f"[{one.kind.upper()}]" for one in found]


@pytest.mark.skipif(find_spec("presidio_analyzer") is not None, reason="the extra is installed")
def test_names_need_the_extra_and_say_so() -> None:
    with pytest.raises(ConfigurationError, match=r"graphmem\[pii\]"):
        Screen("tag", frozenset({"name"}))


@pytest.mark.skipif(find_spec("presidio_analyzer") is None, reason="needs the extra [pii]")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sarah Jones met Tom Miller in Berlin on Monday.", "[NAME] met [NAME] in Berlin on Monday."),
        ("王小明昨天和李娜去了上海。", "[NAME]昨天和[NAME]去了上海。"),
    ],
)
def test_names_in_both_languages(text: str, expected: str) -> None:
    assert Screen("redact", frozenset(KINDS))(text)[0] == expected
