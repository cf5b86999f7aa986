"""Search tokens, made once in Python so that every store's word index holds the same ones.

`search_text(text)` is what a store indexes; `query_tokens(question)` is what it is asked for. A token holds letters and digits only, so a
tokenizer that splits at whitespace and one that splits at non-letters agree on it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from graphmem.core.stopwords import CHINESE_FUNCTION, CHINESE_QUESTION, FILLERS, FUNCTION_WORDS
from graphmem.text import simplified

MAX_TOKENS = 2000
MAX_QUERY_TOKENS = 64
MAX_TOKEN_CHARACTERS = 64

_ACCENTS = re.compile(r"[\u0300-\u036f]")
_CONTRACTION = re.compile(r"['’`](?:s|t|d|m|ll|re|ve)\b")
_THOUSANDS = re.compile(r",(?<=\d,)(?=\d{3}(?!\d))")
_SCRIPT = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_RUN = re.compile(rf"(?:(?!\W)[{_SCRIPT}])+|[^\W_{_SCRIPT}]+")
_CJK_RUN = re.compile(rf"[{_SCRIPT}]")
_CHINESE_QUESTION = re.compile("|".join(sorted(CHINESE_QUESTION, key=len, reverse=True)))


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """English snowball stem of a lower-case word; other words mostly stay as they are."""
    import snowballstemmer  # noqa: PLC0415 — a question without words never loads it

    return str(snowballstemmer.stemmer("english").stemWord(word))


def normalised(text: str) -> str:
    """NFKC, lower case, simplified, no Latin accents, no contraction endings, no thousands separators."""
    if text.isascii():
        lower = text.lower()
    else:
        lower = simplified(unicodedata.normalize("NFKC", text).lower())
        lower = unicodedata.normalize("NFKC", _ACCENTS.sub("", unicodedata.normalize("NFD", lower)))
    return _THOUSANDS.sub("", _CONTRACTION.sub("", lower))


def _pairs(run: str) -> Iterator[str]:
    """Character pairs of a run without spaces, and the single characters that stand alone in it or between grammar characters."""
    grammar = [True, *(character in CHINESE_FUNCTION for character in run), True]
    for i, character in enumerate(run, start=1):
        if len(run) == 1 or (not grammar[i] and grammar[i - 1] and grammar[i + 1]):
            yield character
        if i < len(run) and not (grammar[i] and grammar[i + 1]):
            yield run[i - 1 : i + 1]


def _tokens(text: str, *, without: frozenset[str]) -> list[str]:
    runs = _RUN.findall(text)[:MAX_TOKENS]
    if not _CJK_RUN.search(text):
        return [stem(run[:MAX_TOKEN_CHARACTERS]) for run in runs if run not in without]
    tokens: list[str] = []
    for run in runs:
        if _CJK_RUN.match(run):
            tokens.extend(_pairs(run))
        elif run not in without:
            tokens.append(stem(run[:MAX_TOKEN_CHARACTERS]))
    return tokens[:MAX_TOKENS]


_NOTHING: frozenset[str] = frozenset()
_QUERY_STOP = FUNCTION_WORDS | FILLERS


def search_tokens(text: str) -> list[str]:
    """Index tokens in order, repeated as often as they stand there; a text of function words only keeps them."""
    clean = normalised(text)
    return _tokens(clean, without=FUNCTION_WORDS) or _tokens(clean, without=_NOTHING)


def search_text(text: str) -> str:
    """Join `search_tokens` with spaces: the indexed column."""
    return " ".join(search_tokens(text))


def query_tokens(question: str, names: tuple[str, ...] = ()) -> list[str]:
    """Tell what to look for, each token once: no question words, auxiliaries, fillers, nor `names` (the asked speaker's own, who never says it).

    A question that has nothing else keeps its fillers, then its names, then its function words: it never becomes empty while it has a word.
    """
    clean = normalised(question)
    cut = _CHINESE_QUESTION.sub(" ", clean)
    said = frozenset(run for name in names for run in _RUN.findall(normalised(name)))
    for source, without in ((cut, _QUERY_STOP | said), (cut, FUNCTION_WORDS | said), (clean, FUNCTION_WORDS), (clean, _NOTHING)):
        found = list(dict.fromkeys(_tokens(source, without=without)))
        if found:
            return found[:MAX_QUERY_TOKENS]
    return []


_QUESTION_WORDS = frozenset("what which who whom whose when where why how do does did is was are were".split())  # noqa: SIM905 — read as a list


def is_question_word(text: str) -> bool:
    """Whether the word only makes its sentence a question."""
    clean = normalised(text).strip()
    return clean in _QUESTION_WORDS or _CHINESE_QUESTION.fullmatch(clean) is not None


def index_words(text: str) -> list[str]:
    """Tokens of a word or two, function words too (`search_tokens` leaves those out, so no text has them)."""
    return _tokens(normalised(text), without=_NOTHING)
