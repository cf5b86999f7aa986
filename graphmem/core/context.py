"""Packing recalled memories into a budget of tokens: by role, each line dated and cited, open questions last.

Sections in order: instructions and limits, goals with their chain, facts, preferences, events, turns, open questions. Inside a goal's chain the
goals come first, then its limits and facts, plans with their steps, and what happened by time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from graphmem.model import NOTHING, Context, MemoryRecord, Recollection
from graphmem.temporal import Interval

Section = Literal["rules", "goals", "facts", "preferences", "events", "turns"]
SECTIONS: tuple[Section, ...] = ("rules", "goals", "facts", "preferences", "events", "turns")
OF_TYPE: Mapping[str, Section] = {
    "Instruction": "rules",
    "Constraint": "rules",
    "ContextualFrame": "rules",
    "Rule": "rules",
    "Goal": "goals",
    "Plan": "goals",
    "Step": "goals",
    "Preference": "preferences",
    "EmotionalState": "events",
    "Event": "events",
    "DialogueAct": "events",
    "Episode": "turns",
}
HEADINGS: Mapping[str, tuple[str, str]] = {
    "rules": ("Instructions and limits", "指令与限制"),
    "goals": ("Goals", "目标"),
    "facts": ("Facts", "事实"),
    "preferences": ("Preferences", "偏好"),
    "events": ("Events", "事件"),
    "turns": ("Said", "原话"),
    "questions": ("Open questions", "待确认"),
}
WORDS: Mapping[str, tuple[str, str]] = {
    "disputed": ("disputed, conflicts with the next: ", "有争议，与下一条矛盾："),
    "against": ("disputed, conflicts with the one before: ", "有争议，与上一条矛盾："),
    "was": ("was", "原为"),
    "unsure": ("unsure: is this so?", "不确定：是这样吗？"),
    "outdated": ("outdated, now", "已过时，现为"),
    "earlier": ("earlier", "曾经"),
    "upcoming": ("upcoming", "将要"),
    "due": ("due", "截止"),
}
STATUS_ZH: Mapping[str, str] = {
    "pending": "未开始",
    "in_progress": "进行中",
    "blocked": "受阻",
    "completed": "已完成",
    "failed": "失败",
    "cancelled": "已取消",
}
UNSURE = 0.5
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]")
Count = Callable[[str], int]


def estimate(text: str) -> int:
    """Tokens of a text without its model's tokenizer: one for each CJK character, and one for each four other characters begun."""
    wide = len(_WIDE.findall(text))
    return wide - (wide - len(text)) // 4


@dataclass(frozen=True, slots=True)
class Item:
    """One memory to pack. Items of one `unit` (a dispute, a turn with what replaced it) are taken together or not at all."""

    recollection: Recollection
    section: Section
    priority: float = 0.0
    depth: int = 0
    unit: str = ""
    was: tuple[str, ...] = ()
    against: bool = False
    """It contends with the item before it."""

    @property
    def memory(self) -> MemoryRecord:
        return self.recollection.memory


@dataclass(frozen=True, slots=True)
class Packing:
    """How to pack: the budget, how tokens are counted, the language of headings, and the questions to ask by the unit that they settle."""

    budget: int
    count: Count = estimate
    chinese: bool = False
    questions: Mapping[str, str] = field(default_factory=lambda: NOTHING)


def section_of(type_: str) -> Section:
    """Facts are what has no section of its own."""
    return OF_TYPE.get(type_, "facts")


def pack(items: Sequence[Item], how: Packing) -> Context:
    """Take what matters most until the budget is spent, then show it in the given order, section by section."""
    ordered = [item for section in SECTIONS for item in items if item.section == section]
    kept = _within(ordered, how)
    lines = _lines(kept, how)
    text = "\n".join(lines)
    while how.count(text) > how.budget and len(kept) > 1:
        least = min(kept, key=lambda item: item.priority)
        kept = [item for item in kept if item is not least and (not least.unit or item.unit != least.unit)] or kept[:1]
        text = "\n".join(_lines(kept, how))
    return Context(text, how.count(text), tuple(item.recollection for item in kept))


def _within(ordered: Sequence[Item], how: Packing) -> list[Item]:
    units: dict[str, list[int]] = {}
    for i, item in enumerate(ordered):
        units.setdefault(item.unit or f"#{i}", []).append(i)
    left, taken = how.budget, set[int]()
    sections: set[str] = set()
    for name, places in sorted(units.items(), key=lambda unit: (-max(ordered[i].priority for i in unit[1]), unit[1][0])):
        heads = {ordered[i].section for i in places} - sections
        cost = sum(how.count(_line(i, ordered[i], how) + "\n") for i in places) + sum(
            how.count(HEADINGS[one][how.chinese]) + 2 for one in heads
        )
        cost += how.count(how.questions.get(name, "")) + 3 if name in how.questions else 0
        if cost <= left:
            left, taken, sections = left - cost, taken | set(places), sections | heads
        elif not taken and left > 0:
            return [ordered[i] for i in places]
    return [ordered[i] for i in sorted(taken)]


def _lines(kept: Sequence[Item], how: Packing) -> list[str]:
    lines: list[str] = []
    last = ""
    for number, item in enumerate(kept, start=1):
        if item.section != last:
            lines += [""] * bool(lines) + [f"{HEADINGS[item.section][how.chinese]}:"]
            last = item.section
        lines.append(_line(number, item, how))
    units = dict.fromkeys(item.unit for item in kept)
    asked = list(dict.fromkeys(how.questions[unit] for unit in units if unit in how.questions))
    if asked:
        lines += ["", f"{HEADINGS['questions'][how.chinese]}:", *(f"- {question}" for question in asked)]
    return lines if how.count("\n".join(lines)) <= how.budget or len(kept) != 1 else _cut(lines, how)


def _cut(lines: list[str], how: Packing) -> list[str]:
    """The one line that there is, as long as the budget allows."""
    heading, body = lines[0], lines[1]
    while body and how.count(f"{heading}\n{body}…") > how.budget:
        body = body[: -max(1, len(body) // 10)]
    return [heading, f"{body}…"] if body else []


# ── one line ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _line(number: int, item: Item, how: Packing) -> str:
    memory, zh = item.memory, how.chinese
    mark = ""
    if item.recollection.disputed_with:
        mark = WORDS["against" if item.against else "disputed"][zh]
    text = f"{memory.speaker}: {memory.text}" if memory.speaker else memory.text
    notes = [note for note in (_status(memory, zh), _standing(item, zh)) if note]
    shown = f"（{'，'.join(notes)}）" if zh and notes else f" ({', '.join(notes)})" if notes else ""
    return f"{'  ' * item.depth}- {mark}{text}{shown} [{', '.join(_source(number, item.recollection))}]"


def _status(memory: MemoryRecord, zh: bool) -> str:
    status, due = memory.properties.get("status"), _moment(memory.properties.get("deadline"))
    parts = [STATUS_ZH.get(status, status) if zh else status.replace("_", " ")] if isinstance(status, str) else []
    if due is not None:
        parts.append(f"{WORDS['due'][zh]} {due:%Y-%m-%d}")
    return ("，" if zh else ", ").join(parts)


def _standing(item: Item, zh: bool) -> str:
    memory, notes = item.memory, []
    if item.was:
        notes.append(f"{WORDS['was'][zh]} {', '.join(item.was)}")
    if memory.state in {"superseded", "expired", "invalid"} and memory.type != "Event":
        span = f"{_day(memory.valid_from)} – {_day(memory.valid_to)}".strip(" –")
        notes.append(f"{WORDS['earlier'][zh]} {span}".strip())
    elif memory.state == "upcoming":
        notes.append(f"{WORDS['upcoming'][zh]} {_day(memory.valid_from)}".strip())
    if item.recollection.outdated_by:
        notes.append(f"{WORDS['outdated'][zh]}: {'; '.join(heir.text for heir in item.recollection.outdated_by)}")
    if memory.confidence < UNSURE and memory.type != "Episode":
        notes.append(WORDS["unsure"][zh])
    return ("，" if zh else ", ").join(notes)


def _source(number: int, item: Recollection) -> Iterable[str]:
    yield f"m{number}"
    if item.scope:
        yield item.scope
    citation = next(iter(item.citations), None)
    who = item.memory.speaker or (citation.speaker if citation else None) or (item.memory.source if item.memory.source != "user" else None)
    if who:
        yield who
    when = moment_of(item.memory) or (citation.said_at if citation else None)
    if when is not None:
        yield f"{when:%Y-%m-%d}"


def moment_of(memory: MemoryRecord) -> datetime | None:
    """When it happened, was said, or began to hold."""
    for value in (memory.properties.get("time"), memory.properties.get("said_at"), memory.valid_from):
        if (found := _moment(value)) is not None:
            return found
    return memory.recorded_at


def _moment(value: object) -> datetime | None:
    match value:
        case Interval():
            return value.start or value.end
        case datetime():
            return value
        case _:
            return None


def _day(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%d}"
