"""Triples from Chinese clauses: verbs and frames such as 在…工作 that the ontology's predicates are spelled with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.language.chinese import Clause, Sentence, Word
from graphmem.language.chinese_grammar import BOUND, HAPPENINGS
from graphmem.language.chinese_guards import Found, Match, fits
from graphmem.language.chinese_names import after, before, is_person, names, parts, subjects, trimmed
from graphmem.language.chinese_words import (
    INTENDED,
    NEGATION,
    NO_LONGER,
    PAST,
    PLAYED,
)
from graphmem.language.english_facts import bounds
from graphmem.language.english_grammar import ENDURING
from graphmem.language.lexicon import Lexicon
from graphmem.language.scene import Held, Scene
from graphmem.temporal import Interval

TELLING = frozenset({"asserted", "reported"})
_ASKED = re.compile(r"(?:请|帮我|帮忙|麻烦|提醒|记得|别忘|不要忘|让|叫(?=[你他她我])|劝|建议|假装|要求)")
_AFTERMATH = re.compile(r"^(?:了|过|着|在|到|于)")


def read_facts(sentence: Sentence, scene: Scene, lexicon: Lexicon, taken: set[int]) -> set[int]:
    """Learn the triples of a sentence; `taken` clauses are left alone; returns those that stated one (by start)."""
    told: set[int] = set()
    for clause in sentence.clauses:
        if clause.stance not in TELLING or clause.start in taken:
            continue
        count = len(scene.drafts)
        for match in matches(clause, lexicon):
            _learn(match, clause, scene, lexicon)
        if len(scene.drafts) > count:
            told.add(clause.start)
    return told


def matches(clause: Clause, lexicon: Lexicon) -> Iterator[Match]:
    """Cues in a clause, longest first, none inside another."""
    used: list[tuple[int, int]] = []
    for cue, senses in lexicon.cues:
        head, gap, tail = cue.partition("…")
        if head not in clause.text or (gap and tail not in clause.text):
            continue
        found = _round(clause, head, tail) if gap else _plain(clause, cue)
        for start, end, inside in found:
            spans = [(start, start + len(head)), (end - len(tail), end)] if inside else [(start, end)]
            if any(first < last_used and first_used < last for first, last in spans for first_used, last_used in used):
                continue
            used += spans
            for sense in senses:
                yield Match(
                    sense, cue, start + clause.start, end + clause.start, inside and (inside[0] + clause.start, inside[1] + clause.start)
                )


def _plain(clause: Clause, cue: str) -> list[tuple[int, int, None]]:
    found: list[tuple[int, int, None]] = []
    position = clause.text.find(cue)
    while position >= 0:
        if _whole(clause, position, position + len(cue), cue):
            found.append((position, position + len(cue), None))
        position = clause.text.find(cue, position + 1)
    return found


def _whole(clause: Clause, start: int, end: int, cue: str) -> bool:
    """Whether a cue stands on word boundaries; LAC joins pronouns before it and aspect behind it."""
    first, last = clause.start + start, clause.start + end
    inside = [word for word in clause.words if word.start < last and word.end > first]
    if not inside:
        return False
    opens = inside[0].start == first or inside[0].text[: first - inside[0].start].strip("我你他她它们也都就很还最不没去常起会") == ""
    closes = inside[-1].end == last or bool(re.match(r"^[了过着在到于去上成为的]+$", inside[-1].text[last - inside[-1].start :]))
    if (cue in BOUND and not (inside[0].start == first or opens)) or (
        cue in BOUND and inside[0].tag in {"n", "PER", "LOC", "ORG", "nz", "f"} and inside[0].text != cue
    ):
        return False
    closes = closes or inside[-1].text[last - inside[-1].start :] in PLAYED
    return opens and (closes or (len(cue) > 1 and inside[-1].tag not in {"n", "vn"}))


def _round(clause: Clause, head: str, tail: str) -> list[tuple[int, int, tuple[int, int]]]:
    start = clause.text.find(head)
    while start >= 0:
        end = clause.text.find(tail, start + len(head) + 1)
        edges = {word.start - clause.start for word in clause.words}
        pronoun = start > 0 and clause.text[start - 1] in "我你他她们也都就还"
        if (
            end > 0
            and end - start - len(head) <= 16
            and (start in edges or pronoun)
            and end in edges | {end for word in clause.words if word.text.endswith(tail)}
        ):
            return [(start, end + len(tail), (start + len(head), end))]
        start = clause.text.find(head, start + 1)
    return []


# ── learning ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _learn(match: Match, clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    sense = match.sense
    if lexicon.kinds.get(sense.relation) in {"quantity", "date", "version", "status"}:
        return
    lead = clause.text[: match.start - clause.start]
    state = standing(lead, clause, scene, Claimed(sense.relation, sense.effect, clause.text[match.end - clause.start :]))
    if state is None:
        return
    who = subjects(clause, match.start, scene)
    subject_words = tuple(before(clause, match.start))
    values = list(clause.between(*match.inside)) if match.inside else after(clause, match.end)
    for value_words in _split(values):
        what = names(value_words, scene)
        for value in what:
            for subject in who:
                found = Found(subject, value, tuple(value_words), is_person(subject, subject_words, scene), match, clause)
                if fits(found):
                    pair = (value, subject) if sense.inverse else (subject, value)
                    scene.fact(pair[0], sense.relation, pair[1], (clause.start, clause.end), state)


def _split(words: list[Word]) -> Iterator[list[Word]]:
    yield from (kept for part in parts(words) if (kept := trimmed(part)))


@dataclass(frozen=True, slots=True)
class Claimed:
    """The relation that a clause speaks of, whether it begins or ends, and what follows its cue."""

    relation: str
    effect: str = "="
    tail: str | None = None


def standing(lead: str, clause: Clause, scene: Scene, claimed: Claimed) -> Held | None:
    """When a claim holds, from what stands before its cue and the clause's times; None where nothing is stated."""
    relation, effect, tail = claimed.relation, claimed.effect, claimed.tail or ""
    lead = lead.removesuffix("的") if claimed.tail is None else lead
    if _ASKED.search(lead) or re.match(r"^(?:吗|呢)", tail):
        return None
    since, until, point = bounds(scene.times(clause.start, clause.end), scene)
    sure = 0.6 if clause.stance == "reported" else 0.85
    over = effect == "-"
    if NO_LONGER.search(lead) and (
        re.search(r"不再|已经不|早就不|再也不|已不", lead) or (clause.text.endswith("了") and NEGATION.search(lead))
    ):
        over = True
    elif (
        NEGATION.search(lead)
        or re.search(r"(?:不|没有?|从未|并非|不是)(?:曾)?$", lead)
        or (INTENDED.search(lead) and not re.search(r"(?:已经|早就|刚|刚刚)", lead))
    ):
        return None
    ahead = point is not None and point.start is not None and point.start > scene.turn.said_at
    if ahead or (since is not None and since.start is not None and since.start > scene.turn.said_at):
        return None
    if PAST.search(lead) and relation in ENDURING and effect != "+":
        over = True
    if relation in HAPPENINGS or (effect == "+" and not over):
        return Held(since=since or point, until=until, confidence=sure, reported_by=clause.source)
    if over:
        now = Interval(scene.turn.said_at, None, "second")
        return Held(act="end", until=until or (point if effect == "-" else None) or now, confidence=sure, reported_by=clause.source)
    begun = since or (point if re.search(r"开始|起$|以来|就$", lead) else None)
    return Held(since=begun, until=until, confidence=sure, reported_by=clause.source)
