"""Plans with their steps, from enumerations and "first …, then …, finally …" in both languages."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphmem.language.scene import Held, Scene
from graphmem.model import DraftLink

_NUMBERED = re.compile(
    r"(?:^|(?<=[\s:：;；。，,.]))(?:step\s*)?(?P<number>\d{1,2})(?:[.)、．:：]|\s?[-–])\s*(?=\D)(?P<text>[^\n]+?)(?=[\s;；，,。]*(?:(?:^|\s|(?<=[;；。，,]))(?:and |step\s*)?\d{1,2}[.)、．:：]\s*\D|\n|$))",
    re.IGNORECASE | re.MULTILINE,
)
_BULLETS = re.compile(r"^\s*[-*•·]\s+(?P<text>\S[^\n]*)$", re.MULTILINE)
_STAGES = re.compile(
    r"第(?P<number>[一二三四五六七八九十]|\d{1,2})步?(?:是|要|，|,|：|:|、)*(?P<text>[^。！!；;\n]+?)(?=[，,；;。]?\s*第(?:[一二三四五六七八九十]|\d{1,2})步?|[。！!；;\n]|$)"
)
_FIRST_THEN = re.compile(
    r"\b(?:first(?:ly)?|first of all|to start(?: with)?|start by)\b,?\s+(?P<first>[^.;!?]+?)(?:[.;,]\s*(?:and\s+)?|\s+and\s+)(?:then|next|second(?:ly)?|after that|afterwards|from there)\b,?\s+(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_THEN = re.compile(
    r"(?:[.;,]\s*(?:and\s+)?|\s+and\s+)(?:then|next|third(?:ly)?|fourth(?:ly)?|after that|afterwards|finally|lastly|and finally|last)\b,?\s+",
    re.IGNORECASE,
)
_HAN = re.compile(
    r"(?:首先|先)(?P<first>[^。！!？?；;，,]{2,30}?)[，,；;。]?\s*(?:然后|接着|再|之后|其次|随后|接下来)(?P<rest>[^！!？?]{2,120})"
)
_HAN_THEN = re.compile(r"[，,；;。]?\s*(?:然后再|然后|接着|再|之后|最后再|最后|其次|随后|接下来)")
_NUMERALS = {character: number for number, character in enumerate("一二三四五六七八九十", 1)}
_PAST = re.compile(
    r"\b(?:went|was|were|had|did|got|came|said|took|made|saw|ate|met|bought|felt|left|found|told|gave|tried|\w{3,}ed)\b", re.IGNORECASE
)
_HAN_PAST = re.compile(r"了|过(?!去|来|程|滤)|昨天|前天|上周|去年|刚才")
_HEAD = re.compile(
    r"\b(?:plan|steps?|to-?do|agenda|process|procedure|roadmap|here's (?:what|how)|here is (?:what|how)|tasks?|checklist|we need to|i need to|how to)\b|计划|步骤|流程|安排|方案|待办|任务|清单|需要做|要做",
    re.IGNORECASE,
)
_TALK = re.compile(r"^(?:i think|i feel|it|that|this|he|she|they|you|there)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Item:
    order: int
    start: int
    end: int


def read_plan(scene: Scene, *, chinese: bool) -> tuple[int, int] | None:
    """Learn the plan that the piece lays out; returns its characters, which state no goals of their own."""
    text = scene.text
    items = _stages(text) or _numbered(text) or (_han(text) if chinese else _first_then(text))
    if len(items) < 2 or "?" in text[items[0].start : items[-1].end] or "？" in text[items[0].start : items[-1].end]:
        return None
    past = (_HAN_PAST if chinese else _PAST).search(text[items[0].start : items[-1].end])
    if past and not _HEAD.search(text[: items[0].start]):
        return None
    start, end = _whole(text, items)
    head = re.sub(r"[\s:：,，;；-]+$|(?:\b(?:first|step)|第|首先|先)\s*$", "", text[start : items[0].start], flags=re.IGNORECASE).strip(
        " \n:：,，1.、()-"
    )
    head = (
        ""
        if re.fullmatch(
            r"(?:我们?|你)?(?:打算|计划|准备|想要?|要|应该|需要|得)?|(?:i|we|you)?(?: will| should| need to| plan to|'ll| want to)?",
            head,
            re.IGNORECASE,
        )
        else head
    )
    plan = scene.learn(
        "Plan", {"status": "pending", "goal": head or None}, (start, end), Held(confidence=0.75), text=head or text[start:end].strip()
    )
    for item in items:
        scene.learn(
            "Step",
            {"order": item.order, "status": "pending"},
            (item.start, item.end),
            Held(confidence=0.75),
            links=(DraftLink("SUBTASK_OF", target_index=plan),),
        )
    return start, end


def _whole(text: str, items: list[Item]) -> tuple[int, int]:
    before = text[: items[0].start]
    breaks = [match.end() for match in re.finditer(r"[.!?]\s+(?=[A-Z])|[。！？!?]\s*", before)]
    start = breaks[-1] if breaks else 0
    if not re.search(r"\w", before[start:].strip(" 1.)、-")) and len(breaks) > 1 and _HEAD.search(before[breaks[-2] :]):
        start = breaks[-2]
    return start, items[-1].end


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while end > start and text[end - 1] in " \t\n.,;，。；、！!":
        end -= 1
    while start < end and text[start] in " \t\n,，、:：":
        start += 1
    for joint in (" and", "并且", "，再"):
        if text[start:end].endswith(joint):
            end -= len(joint)
    return start, end


def _numbered(text: str) -> list[Item]:
    found = [(int(match["number"]), match.start("text"), match.end("text")) for match in _NUMBERED.finditer(text)]
    if (
        len(found) >= 2
        and [number for number, _, _ in found] == list(range(found[0][0], found[0][0] + len(found)))
        and found[0][0] in {0, 1}
    ):
        return [Item(number, *_trim(text, start, end)) for number, start, end in found]
    if not _HEAD.search(text):
        return []
    return [Item(number, *_trim(text, *match.span("text"))) for number, match in enumerate(_BULLETS.finditer(text), 1)]


def _stages(text: str) -> list[Item]:
    found = [
        (_NUMERALS.get(match["number"]) or int(match["number"]), match.start("text"), match.end("text")) for match in _STAGES.finditer(text)
    ]
    ordered = [number for number, _, _ in found] == list(range(1, len(found) + 1))
    return [Item(number, *_trim(text, start, end)) for number, start, end in found] if ordered and ("步" in text) else []


def _first_then(text: str) -> list[Item]:
    found = _FIRST_THEN.search(text)
    if found is None or _TALK.match(found["first"]):
        return []
    end = re.search(r"[.!?](?=\s+(?!then|next|after|finally|lastly|third)[A-Z])", found["rest"])
    rest = found["rest"][: end.start()] if end else found["rest"]
    return _split(text, found.span("first"), (found.start("rest"), found.start("rest") + len(rest)), _THEN)


def _han(text: str) -> list[Item]:
    found = _HAN.search(text)
    if found is None or re.search(r"(?:事|优|祖|首|早|原|率|预)先$", text[: found.start("first")]) or re.match(r"生|前|是", found["first"]):
        return []
    rest = re.split(r"[。](?!\s*(?:然后|接着|再|最后))", found["rest"])[0]
    return _split(text, found.span("first"), (found.start("rest"), found.start("rest") + len(rest)), _HAN_THEN)


def _split(text: str, first: tuple[int, int], rest: tuple[int, int], joint: re.Pattern[str]) -> list[Item]:
    spans = [first]
    start = rest[0]
    for match in joint.finditer(text, *rest):
        if match.start() > start:
            spans.append((start, match.start()))
        start = match.end()
    spans.append((start, rest[1]))
    return [
        Item(number, *_trim(text, *span)) for number, span in enumerate((span for span in spans if text[slice(*span)].strip(" ,.;，。")), 1)
    ]
