"""Text and scopes at the door: cleaned once, and said what was done."""

from __future__ import annotations

import re

from graphmem.errors import InvalidInput

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
LONGEST_SCOPE = 256


def clean(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without NUL and control characters, lone surrogates replaced by U+FFFD, and a note for each kind found.

    A surrogate pair that arrived as two code points is joined, not lost. Raises InvalidInput where nothing is left.
    """
    notes = []
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        if found := text.count("\ufffd"):
            notes.append(f"replaced {found} lone surrogate(s)")
    text, removed = _CONTROL.subn("", text)
    if removed:
        notes.append(f"removed {removed} control character(s)")
    if not text.strip():
        raise InvalidInput("the text is empty; there is nothing to remember or to look for")
    return text, tuple(notes)


def check_scope(user_id: str) -> str:
    """The scope as given: 1–256 characters, any of them plain data; only NUL and lone surrogates cannot be stored."""
    if not isinstance(user_id, str) or not 1 <= len(user_id) <= LONGEST_SCOPE:
        raise InvalidInput(f"user_id must be a string of 1 to {LONGEST_SCOPE} characters")
    if "\x00" in user_id or _SURROGATE.search(user_id):
        raise InvalidInput("user_id must not hold NUL or lone surrogates")
    return user_id
