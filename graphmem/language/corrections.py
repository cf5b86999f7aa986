"""What people take back while they speak: "at 2 pm. Sorry, I mean 3 pm", "我住在北京，不对，是上海". The text is read as if only the right value had been said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from graphmem.language.times import find_times
from graphmem.language.values import AMOUNT
from graphmem.text import CJK

_ENGLISH = re.compile(
    r"(?P<gap>[\s,.;:!?()—–-]*)(?:\b(?:oh|ah|oops|hmm|um|and|but|wait|hold on|hang on)\b[,.!\s]*)*"
    r"(?:\b(?:sorry|no|wait|actually|correction|scratch that|strike that|my bad|my mistake|apologies|pardon|i misspoke|rather)[,:;.!\s—–-]+|\b(?=i mea))"
    r"(?:(?:wait|no|sorry|actually|i misspoke|my mistake|rather)[,.!\s—–-]+)*"
    r"(?:(?:i (?:actually |really )?(?:mean|meant)(?: to say)?|i should have said|it should be|that should be|make (?:that|it)|it(?:'s| is| was)(?: actually)?|that(?:'s| is)|to be precise)[,:\s]+)?"
    r"(?P<lead>(?:(?:in|at|on|for|to|from|by|with|until|till|of)\s+)?(?:the\s+)?)(?P<new>(?:[^.!?;,()]|[.,](?=\d)){1,40}?)(?:\s*,?\s*not (?:in |at |on |for |to |from |by )?(?P<old>(?:[^.!?;,()]|[.,](?=\d)){1,30}))?(?P<end>[.!?)]+(?=\s|$)|$|(?=\s[—–-]\s)|(?=,\s))",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"\b(?:i mean|i meant|scratch that|strike that|correction|make that|make it|should be|misspoke|mistake|my bad|sorry|wait|rather|no,)",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?P<gap>[，,。！!；;\s—…]*)(?:哦|噢|啊|哎|嗯)?[，,]?(?:不对|不不|说错了|我说错了|搞错了|记错了|错了|更正一下|更正|纠正一下|口误|抱歉|对不起|不好意思|等等|等一下|哦不|不是)[，,。：:！!\s]*(?:不对|说错了|我说错了|口误|抱歉|等一下)?[，,。：:！!\s]*"
    r"(?:我的意思是|我意思是|我是说|我想说的是|应该是|应该|其实是|是|改成|准确地说是)?(?:在)?(?P<new>[^，,。！!？?；;]{1,20}?)(?:[，,]?(?:不是|而不是|并非)(?:在)?(?P<old>[^，,。！!？?；;]{1,15}))?(?P<end>[。！!？?]?)$"
)
_CLOCK = re.compile(
    r"\b\d{1,2}(?::\d{2})?\s?(?:am|pm|a\.m\.|p\.m\.|o'clock)(?!\w)|\b\d{1,2}:\d{2}\b|\bnoon\b|\bmidnight\b|(?:早上|上午|中午|下午|晚上|傍晚|凌晨)?[\d一二两三四五六七八九十]{1,3}点(?:半|一刻|三刻|[\d一二三四五六七八九十]{1,3}分?|钟)?",
    re.IGNORECASE,
)
_HALF = re.compile(r"早上|上午|中午|下午|晚上|傍晚|凌晨")
_CLAUSE = re.compile(
    r"(?:i|we|he|she|they|you|it|there|that|this|my|our|your|what|how|can|could|do|don't|the \w+ (?:is|was|are))\b(?!'s)", re.IGNORECASE
)
_NAME = re.compile(r"\b[A-Z][\w'-]*(?:\s+(?:[A-Z][\w'-]*|of|the|de|van|von|&))*(?<=\w)")
_COMMON_STARTS = frozenset(
    {
        "I",
        "The",
        "My",
        "We",
        "It",
        "He",
        "She",
        "They",
        "Our",
        "Sorry",
        "Please",
        "This",
        "That",
        "A",
        "An",
        "In",
        "On",
        "At",
        "Her",
        "His",
        "Their",
        "Your",
        "You",
        "Yes",
        "No",
        "Hi",
        "Hello",
        "Also",
        "And",
        "But",
        "Actually",
    }
)
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Corrected:
    """A turn as it was meant; `earlier` where what it corrects was said in the turn before."""

    text: str
    earlier: bool = False


def corrected(text: str, previous: str | None, now: datetime) -> Corrected | None:
    """The turn with the wrong value replaced, or None where it takes nothing back."""
    for match in _marks(text):
        new, old = match["new"].strip(), (match["old"] or "").strip()
        if not new or len(new.split()) > 6 or _CLAUSE.match(new):
            continue
        before = text[: match.start()]
        if before.strip() and (span := _wrong(before, new, old, now)):
            return Corrected(
                _replaced(before, span, new)
                + (match["end"] or ("" if text[match.end() :].strip() else _closing(before)))
                + text[match.end() :]
            )
        if not re.search(r"\w{2,}", before) and previous and (span := _wrong(previous, new, old, now)):
            return Corrected(_sentence_of(_replaced(previous, span, new), span[0]), earlier=True)
    return None


def _marks(text: str) -> Iterator[re.Match[str]]:
    if CJK.search(text):
        found = _CHINESE.search(text)
        if found:
            yield found
        return
    for found in _ENGLISH.finditer(text):
        if _STRONG.search(found[0]):
            yield found


def _wrong(before: str, new: str, old: str, now: datetime) -> Span | None:
    """Where the value that is taken back stands: the one named behind "not", else the last of the same kind."""
    if old and (at := before.casefold().rfind(old.casefold())) >= 0:
        return at, at + len(old)
    for kind in (_clocks, _amounts, _times, _names, _words, _numbers):
        if kind(new, now) and (spans := kind(before, now)):
            return spans[-1]
    return None


def _clocks(text: str, _: datetime) -> list[Span]:
    return [match.span() for match in _CLOCK.finditer(text)]


def _amounts(text: str, _: datetime) -> list[Span]:
    folded = text.casefold()
    return [match.span() for match in AMOUNT.finditer(folded) if match["unit"] or match["before"]] if len(folded) == len(text) else []


def _times(text: str, now: datetime) -> list[Span]:
    return [found.span for found in find_times(text, now=now)]


def _numbers(text: str, _: datetime) -> list[Span]:
    return [match.span() for match in re.finditer(r"\d+(?:[.,]\d+)*", text)]


def _names(text: str, _: datetime) -> list[Span]:
    if CJK.search(text):
        return []
    return [match.span() for match in _NAME.finditer(text) if match[0] not in _COMMON_STARTS]


def _words(text: str, _: datetime) -> list[Span]:
    """Chinese names and nouns of one word; places, people and organisations before other nouns."""
    if not CJK.search(text):
        return []
    from graphmem.language.chinese import fold_characters, tagger  # noqa: PLC0415 — only where a Chinese turn takes something back

    found: list[tuple[Span, bool]] = []
    position = 0
    for word, tag in tagger().run(fold_characters(text)):
        if tag in {"LOC", "PER", "ORG", "nz", "n", "s", "m"}:
            found.append(((position, position + len(word)), tag in {"LOC", "PER", "ORG", "nz"}))
        position += len(word)
    named = [span for span, is_name in found if is_name]
    return named or [span for span, _ in found]


def _replaced(text: str, span: Span, new: str) -> str:
    wrong = text[span[0] : span[1]]
    half = _HALF.match(wrong)
    if half and _CLOCK.search(new) and not _HALF.search(new):
        new = half[0] + new
    if (suffix := re.search(r"\s?(?:am|pm)$", wrong, re.IGNORECASE)) and re.fullmatch(r"\d{1,2}(?::\d\d)?", new):
        new += suffix[0]
    return (text[: span[0]] + new + text[span[1] :]).rstrip(" ,，")


def _closing(text: str) -> str:
    return "" if text.rstrip().endswith((".", "!", "?", "。", "！")) else "。" if CJK.search(text) else "."


def _sentence_of(text: str, position: int) -> str:
    """The sentence around a character."""
    start = max((match.end() for match in re.finditer(r"[.!?]\s|[。！？]", text[:position])), default=0)
    end = re.search(r"[.!?](?:\s|$)|[。！？]", text[position:])
    return text[start : position + end.end() if end else len(text)].strip()
