"""Triples from English clauses: verbs, adjectives and prepositions that the ontology's predicates are spelled with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from graphmem.language.english import Clause, Sentence
from graphmem.language.english_grammar import ENDURING, HAPPENINGS, NEEDS_PRESENT
from graphmem.language.english_names import has_name, is_person, names, proper_name
from graphmem.language.english_phrases import phrase, phrase_span, prepositions
from graphmem.language.english_words import EVENT_NOUNS, GROUP_NOUNS, INSTITUTIONS, KIN, NOT_PLAYED, ORG_NOUNS, OWNABLES, PETS, STUDY_PLACES
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
            for subject in clause.subjects:
                for value in values:
                    mark = (sense.relation, subject.i, value.i)
                    if mark not in seen and subject.i != value.i and fits(sense, subject, value, clause, lexicon):
                        seen.add(mark)
                        yield sense, subject, value


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


# ── what fits ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def fits(sense: Sense, subject: Token, value: Token, clause: Clause, lexicon: Lexicon) -> bool:
    """Whether the relation can hold between two phrases of these kinds."""
    kind = lexicon.kinds.get(sense.relation, "text")
    if value.ent_type_ in {"DATE", "TIME"} and kind != "date":
        return False
    special = _GUARDS.get(sense.relation)
    if special is not None:
        return special(subject, value, clause, sense)
    if kind in {"quantity", "date", "version", "status"}:
        return False
    if clause.lemma in VAGUE_VERBS or value.pos_ in {"VERB", "AUX", "ADV"}:
        return False
    return _free_guard(subject, value, clause, kind)


VAGUE_VERBS = frozenset(
    {
        "have",
        "get",
        "do",
        "make",
        "go",
        "be",
        "say",
        "take",
        "know",
        "need",
        "come",
        "pay",
        "call",
        "tell",
        "see",
        "meet",
        "want",
        "like",
        "love",
        "enjoy",
        "hate",
    }
)


def _free_guard(subject: Token, value: Token, clause: Clause, kind: str) -> bool:
    if kind in {"person", "place"} and not has_name(value):
        return False
    return not (clause.lemma in {"eat", "drink"} and (clause.tense != "present" or clause.verb.tag_ == "VBG")) and value.pos_ in {
        "NOUN",
        "PROPN",
        "ADJ",
        "NUM",
        "X",
    }


def _lives(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    if sense.effect == "-" and clause.lemma == "leave":
        return (
            value.ent_type_ == "GPE"
            and is_person(subject)
            and clause.tense == "past"
            and not any(p == "for" for p, _ in prepositions(clause.verb))
            and False
        )
    return (is_person(subject) and has_name(value) and value.pos_ in {"PROPN", "NOUN"} and value.ent_type_ != "PERSON") or (
        is_person(subject) and value.pos_ == "PROPN"
    )


def _works(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    head = value.lemma_.lower()
    if head in GROUP_NOUNS or (head in STUDY_PLACES and clause.lemma == "join"):
        return False
    if clause.lemma in {"leave", "join", "quit"}:
        return is_person(subject) and has_name(value) and value.ent_type_ not in {"GPE", "LOC"} and value.pos_ == "PROPN"
    if clause.lemma == "start" and head in STUDY_PLACES:
        return False
    if clause.lemma == "work" and any(p == "in" and value in v for p, v in prepositions(clause.verb)):
        return is_person(subject) and head in ORG_NOUNS
    return is_person(subject) and (has_name(value) or head in ORG_NOUNS)


def _title(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    return is_person(subject) and value.pos_ in {"NOUN", "PROPN"} and (clause.lemma != "become" or _occupation(value))


def _occupation(token: Token) -> bool:
    from graphmem.language.english_words import OCCUPATIONS  # noqa: PLC0415

    return token.lemma_.lower() in OCCUPATIONS


def _studies(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    words = set(phrase(value).lower().split())
    school = bool(words & STUDY_PLACES)
    if clause.lemma in {"go", "attend", "start", "accept", "admit"}:
        return is_person(subject) and school and clause.tense in {"present", "perfect", "past"} and has_name(value)
    return is_person(subject) and (school or has_name(value)) and value.lemma_.lower() not in EVENT_NOUNS


def _named_person(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    return is_person(subject) and is_person(value) and (value.pos_ in {"PROPN", "PRON"} or proper_name(value) is not None)


def _works_with(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    return _named_person(subject, value, clause, sense) and value.pos_ != "PRON" and value.ent_type_ not in {"ORG", "PRODUCT"}


def _owns(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    head = value.lemma_.lower()
    if clause.lemma in {"own", "possess"}:
        return value.pos_ in {"NOUN", "PROPN"} and head not in PETS
    return (
        head in OWNABLES
        and clause.lemma in {"have", "buy", "purchase", "get", "acquire", "sell"}
        and (clause.lemma != "have" or clause.tense == "present")
    )


def _pet(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    named = any(
        (child.dep_ in {"appos", "acl", "relcl"} and child.lemma_ in {"name", "call"}) or child.dep_ == "appos" for child in value.children
    )
    return (
        is_person(subject)
        and not named
        and value.lemma_.lower() in PETS
        and not any(child.dep_ == "prep" and child.lower_ == "of" for child in value.children)
    )


def _allergic(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    return value.pos_ in {"NOUN", "PROPN", "ADJ", "VERB"} and is_person(subject)


def _speaks(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    return (
        is_person(subject) and value.text[:1].isupper() and clause.verb.tag_ != "VBG" and value.ent_type_ not in {"PERSON", "ORG", "DATE"}
    )


def _member(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    head = value.lemma_.lower()
    part = any(child.lemma_ == "part" for child in clause.verb.children)
    if part and subject.pos_ != "PRON" and subject.lemma_.lower() not in KIN:
        return False
    grouped = head in GROUP_NOUNS or bool({word.lower() for word in phrase(value).split()} & GROUP_NOUNS)
    if clause.lemma in {"join", "leave", "quit", "play", "sing", "be"} and not any(
        child.lemma_ == "member" for child in clause.verb.children
    ):
        return is_person(subject) and grouped
    return is_person(subject) and (grouped or has_name(value))


def _located(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    if is_person(subject) and (subject.pos_ != "PROPN" or (clause.lemma == "base" and subject.ent_type_ != "ORG")):
        return False
    if subject.pos_ == "PROPN" and clause.lemma == "be" and subject.ent_type_ == "PERSON":
        return False
    if clause.lemma == "be" and not _place_subject(subject):
        return False
    return (
        value.pos_ == "PROPN"
        and subject.lower_ not in {"it", "this", "that", "they"}
        and value.ent_type_ not in {"DATE", "TIME", "ORG", "PERSON"}
    ) or (clause.lemma != "be" and has_name(value))


def _place_subject(subject: Token) -> bool:
    """Something that stands somewhere: a named thing or a building, no trip, person or abstract noun."""
    return subject.lemma_.lower() in INSTITUTIONS | ORG_NOUNS or (
        subject.pos_ == "PROPN" and subject.ent_type_ in {"ORG", "FAC", "GPE", "LOC"}
    )


def _part_of(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    if subject.pos_ == "PRON" or subject.lemma_.lower() in KIN or (subject.pos_ == "NOUN" and not has_name(value)):
        return False
    return value.pos_ == "PROPN" or (value.lemma_.lower() in ORG_NOUNS | {"department", "division", "group"} and not is_person(subject))


def _uses(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    if clause.lemma in {"work", "adopt", "move"} and is_person(subject):
        return False
    if clause.lemma == "use":
        return clause.verb.lower_ != "used" and (
            has_name(value)
            or (not is_person(subject) and value.pos_ in {"NOUN", "PROPN"} and not any(child.dep_ == "poss" for child in value.children))
        )
    return has_name(value)


def _depends(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    if clause.lemma in {"require", "need"}:
        return has_name(value) and not is_person(subject)
    return value.pos_ in {"NOUN", "PROPN"} and subject.lower_ not in {"it", "that", "this", "which"}


def _capital(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    return subject.pos_ == "PROPN" and value.pos_ == "PROPN"


def _plays(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    articles = {child.lower_ for child in value.children if child.dep_ in {"det", "poss"}}
    return (
        is_person(subject)
        and value.pos_ in {"NOUN", "PROPN"}
        and value.lemma_.lower() not in NOT_PLAYED
        and value.lower_ not in NOT_PLAYED
        and articles <= {"the"}
    )


def _created(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    if (clause.tense not in {"past", "perfect"} and clause.lemma != "be") or clause.verb.tag_ == "VBG":
        return False
    if sense.inverse:
        return is_person(value) or has_name(value)
    return has_name(value) and (value.pos_ == "PROPN" or value.text[:1].isupper()) and is_person(subject)


def _manages(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    if (
        clause.lemma == "run"
        and not sense.inverse
        and value.lemma_.lower()
        not in GROUP_NOUNS
        | ORG_NOUNS
        | {"department", "division", "project", "business", "program", "programme", "operation", "desk", "site"}
    ):
        return False
    if clause.lemma in {"run", "lead", "head"} and value.lemma_.lower() in {
        "marathon",
        "race",
        "mile",
        "errand",
        "test",
        "life",
        "way",
        "example",
        "late",
    }:
        return False
    person = value if sense.inverse else subject
    other = subject if sense.inverse else value
    return (
        is_person(person)
        and other.pos_ in {"NOUN", "PROPN"}
        and (clause.lemma not in {"run", "lead", "head", "manage"} or clause.verb.dep_ != "relcl")
    )


def _visited(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    if not is_person(subject) or clause.tense not in {"past", "perfect"}:
        return False
    return (
        value.pos_ == "PROPN"
        and value.ent_type_ not in {"PERSON", "ORG", "EVENT", "DATE"}
        and not ({w.lower() for w in phrase(value).split()} & (EVENT_NOUNS | STUDY_PLACES))
    ) or (clause.lemma in {"visit", "fly", "travel"} and value.pos_ == "PROPN" and value.ent_type_ != "DATE")


def _attended(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    head = value.lemma_.lower()
    if not is_person(subject) or clause.tense not in {"past", "perfect"} or head in STUDY_PLACES:
        return False
    return (
        head in EVENT_NOUNS or value.ent_type_ == "EVENT" or (clause.lemma in {"attend", "participate"} and value.pos_ in {"NOUN", "PROPN"})
    )


def _never(subject: Token, value: Token, clause: Clause, sense: Sense) -> bool:
    return False


_GUARDS = {
    "lives_in": _lives, "works_at": _works, "job_title": _title, "studies_at": _studies, "married_to": _named_person, "partner_of": _named_person,
    "friend_of": _named_person, "colleague_of": _works_with, "sibling_of": _named_person, "parent_of": _named_person, "child_of": _named_person, "owns": _owns, "has_pet": _pet,
    "allergic_to": _allergic, "speaks": _speaks, "member_of": _member, "located_in": _located, "part_of_org": _part_of, "uses": _uses,
    "depends_on": _depends, "capital_of": _capital, "plays": _plays, "created": _created, "manages": _manages, "visited": _visited, "attended": _attended,
    "name": _never, "nickname": _never, "favorite": _never, "likes": _never, "dislikes": _never, "born_on": _never, "address": _never, "phone": _never, "email": _never,
    "goal_of": _never, "hometown": lambda s, v, c, _: is_person(s) and has_name(v), "knows": _never, "skill": _never, "includes": _never,
}  # fmt: skip
"""What each core relation asks of its subject and object beyond the kind that the ontology declares."""


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
