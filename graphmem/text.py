"""Folding of names and keys: one spelling for what people write in many ways."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_ARTICLE = re.compile(r"^(?:(?:a|an|the|my|our) |我的|我们的|这个|那个|一个|一把|一只)")


@lru_cache(maxsize=1)
def _converter() -> Any:
    from opencc import OpenCC  # noqa: PLC0415 — no dictionary is loaded at import

    return OpenCC("t2s")


def simplified(text: str) -> str:
    """Traditional characters as simplified ones; other text as it is."""
    return str(_converter().convert(text)) if CJK.search(text) else text


def fold(text: str) -> str:
    """For keys only, never for display: NFKC, case-folded, simplified, one space between words."""
    return " ".join(simplified(unicodedata.normalize("NFKC", text).casefold()).split())


def fold_name(text: str) -> str:
    """`fold` without outer punctuation and a leading article or possessive ("The Orbit Labs," → "orbit labs")."""
    folded = _EDGES.sub("", fold(text))
    return _ARTICLE.sub("", folded) or folded or fold(text)


def is_chinese(text: str) -> bool:
    """Whether the text is rather Chinese than English: one CJK character outweighs two Latin words."""
    characters = len(CJK.findall(text))
    return characters > 0 and characters * 2 >= len(re.findall(r"[A-Za-z]+", text))
