"""Triples from English clauses: verbs, adjectives and prepositions that the ontology's predicates are spelled with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from graphmem.language.english import Clause, Sentence
from graphmem.language.english_grammar import ENDURING, HAPPENINGS, NEEDS_PRESENT
from graphmem.language.english_guards import Pair, fits
from graphmem.language.english_names import is_person, names, proper_name
from graphmem.language.english_phrases import phrase_span, prepositions
from graphmem.language.english_words import EVENT_NOUNS
from graphmem.language.lexicon import Lexicon, Sense, stem
from graphmem.language.scene import Held, Scene, Timed

Token = Any
ASSERTED = frozenset({"asserted", "reported", "ended", "begun"})
_SINCE = re.compile(r"\b(?:since|as of|from|starting)\s*(?:the\s)?$", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|up to|to|through)\s*(?:the\s)?$", re.IGNORECASE)
_SURE = {"reported": 0.6}


def read_facts(sentence: Sentence, scene: Scene, lexicon: Lexicon) -> set[int]:
    """Learn the triples of a sentence; returns the verbs (by token index) that stated one."""
    told: set[int] = set()
    for clause in sentence.clauses:
        if clause.stance not in ASSERTED:
            continue
        for sense, subject, value in _triples(clause, lexicon):
            held = holding(clause, sense, scene)
            if held is None:
                continue
            for who in names(subject, scene):
                for what in _object_names(sense, value, scene):
                    pair = (what, who) if sense.inverse else (who, what)
                    scene.fact(pair[0], sense.relation, pair[1], clause.span, held)
                    told.add(clause.verb.i)
        _make_current(clause, scene)
    return told


def _make_current(clause: Clause, scene: Scene) -> None:
    """The subject of a clause is what the next pronoun means first; several make a group."""
    people = [token for token in clause.subjects if is_person(token)]
    found = tuple(name for token in people for name in names(token, scene))
    if len(found) > 1:
        scene.group = found
    for token in clause.subjects:
        if token.pos_ == "PROPN" and (name := proper_name(token)):
            scene.meet(name, "Person" if is_person(token) else "Thing")


def _object_names(sense: Sense, token: Token, scene: Scene) -> tuple[str, ...]:
    if token.pos_ == "PRON":
        return names(token, scene) if token.lower_ not in {"it", "that", "this"} else ()
    if sense.relation == "created" and token.text[:1].isupper():
        return (_title_of(token),)
    return names(token, scene)


def _title_of(token: Token) -> str:
    """A title goes on as long as its words are capitalised: "Notes on the Engine"."""
    first, last = phrase_span(token)
    end = last.i + 1
    while end + 1 < len(token.doc) and (
        token.doc[end].text in {"of", "on", "in", "the", "for", "and", "to", "a"} or token.doc[end].text[:1].isupper()
    ):
        if token.doc[end].ent_type_ in {"DATE", "TIME"}:
            break
        end += 1
    while end > last.i + 1 and not token.doc[end - 1].text[:1].isupper():
        end -= 1
    return str(token.doc[first.i : end].text)


# ── frames ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _triples(clause: Clause, lexicon: Lexicon) -> Iterator[tuple[Sense, Token, Token]]:
    seen: set[tuple[str, int, int]] = set()
    for key, values in frames(clause):
        for sense in lexicon.frames.get(key, ()):
            for subject in _subjects_for(clause):
                for value in values:
                    mark = (sense.relation, subject.i, value.i)
                    if mark not in seen and subject.i != value.i and fits(Pair(sense, subject, value, clause), lexicon):
                        seen.add(mark)
                        yield sense, subject, value


_APPOINTING = frozenset({"hire", "appoint", "promote", "employ", "recruit", "name"})


def _subjects_for(clause: Clause) -> list[Token]:
    """Whom a clause speaks of; "we hired Ken as head of design" speaks of Ken."""
    if clause.verb.lemma_ in _APPOINTING and not clause.passive:
        return clause.children("dobj")
    return list(clause.subjects)


def frames(clause: Clause) -> Iterator[tuple[tuple[str, str], list[Token]]]:
    """The (head, preposition) keys that a clause could be looked up under, each with its objects."""
    verb, head = clause.verb, " ".join(stem(word) for word in clause.lemma.split())
    direct = [item for child in clause.children("dobj") for item in _joined(child)]
    if head != "be" and not clause.passive:
        yield (head, ""), direct
    for preposition, values in prepositions(verb):
        yield (head, preposition), values
        for child in clause.children("dobj"):
            yield (f"{head} {stem(child.lemma_)}", preposition), values
    first, _, particle = head.partition(" ")
    if particle and not clause.passive:
        yield (first, particle), direct
    yield from _nested(verb, head)
    for middle in clause.children("acomp", "attr", "oprd"):
        for item in _joined(middle):
            for preposition, values in prepositions(item):
                yield (stem(item.lemma_), preposition), values
                if head != "be":
                    yield (f"{head} {stem(item.lemma_)}", preposition), values
    for child in clause.children("dobj"):
        for preposition, values in prepositions(child):
            yield (f"{head} {stem(child.lemma_)}", preposition), values
            if head in {"have", "be"}:
                yield (stem(child.lemma_), preposition), values
            if (
                preposition in {"at", "in", "for", "with", "of"}
                and child.lemma_ not in EVENT_NOUNS
                and preposition in {"at", "in", "for", "with"}
            ):
                yield (head, preposition), values
    if head == "get" and (done := next(iter(clause.children("acomp", "xcomp", "ccomp")), None)) is not None:
        for preposition, values in prepositions(done):
            yield (stem(done.lemma_), preposition), values
            yield (f"get {stem(done.lemma_)}", preposition), values


def _nested(verb: Token, head: str) -> Iterator[tuple[tuple[str, str], list[Token]]]:
    """Read "in charge of X" behind be, and "as a nurse at X" where the place hangs on the noun."""
    for preposition, values in prepositions(verb):
        for value in values:
            for deeper, inner in prepositions(value):
                if head == "be":
                    yield (f"{stem(preposition)} {stem(value.lemma_)}", deeper), inner
                elif preposition == "as" and deeper in {"at", "for", "in", "with"}:
                    yield (head, deeper), inner


def _joined(token: Token) -> list[Token]:
    found = [token]
    for child in token.children:
        if child.dep_ == "conj":
            found += _joined(child)
    return found


# ── when it holds ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def holding(clause: Clause, sense: Sense, scene: Scene) -> Held | None:
    """When the claim of a clause holds, from its tense, stance and times; None where it states nothing about now or then."""
    relation, effect = sense.relation, sense.effect
    sure = _SURE.get(clause.stance, 0.85)
    since, until, point = bounds(scene.times(*clause.span), scene)
    if point is not None and point.start is not None and point.start > scene.turn.said_at and relation != "deadline":
        return None
    over = clause.stance == "ended" or effect == "-"
    if relation in HAPPENINGS:
        return None if clause.stance == "ended" else Held(since=since or point, confidence=sure, reported_by=clause.source)
    if effect == "+" and (clause.passive or clause.lemma == "be") and clause.tense == "present":
        effect = "="
    if effect == "+" or clause.stance == "begun":
        if clause.tense not in {"past", "perfect"} and clause.stance != "begun":
            return None
        if not over:
            return Held(since=since or point, until=until, confidence=sure, reported_by=clause.source)
    if (
        relation in NEEDS_PRESENT
        and clause.tense == "present"
        and clause.verb.tag_ == "VBG"
        and clause.verb.dep_ not in {"ROOT", "conj", "ccomp"}
    ):
        return None
    if over or (relation in ENDURING and clause.tense == "past" and effect == "=" and not _was_then_still(clause)):
        return Held(
            act="end",
            since=since if until else None,
            until=until or (point if over else None) or _said(scene),
            confidence=sure,
            reported_by=clause.source,
        )
    return Held(since=since, until=until, confidence=sure, reported_by=clause.source)


def _was_then_still(clause: Clause) -> bool:
    return any(child.lower_ in {"always", "still"} for child in clause.verb.children)


def _said(scene: Scene) -> Any:
    from graphmem.temporal import Interval  # noqa: PLC0415

    return Interval(scene.turn.said_at, None, "second")


def bounds(times: list[Timed], scene: Scene) -> tuple[Any, Any, Any]:
    """(since, until, at) among the time expressions of a clause."""
    since = until = point = None
    for found in times:
        before = scene.text[max(0, found.start - 14) : found.start]
        words = scene.text[found.start : found.end].lower()
        if _SINCE.search(before) or words.startswith(("since", "from ", "as of")):
            since = found.interval
        elif _UNTIL.search(before) or words.startswith(("until", "till")):
            until = found.interval
        elif point is None and words not in {"now", "currently", "today", "these days", "nowadays", "at the moment"}:
            point = found.interval
    return since, until, point
