"""What each relation asks of its subject and object in English, beyond the kind that the ontology declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphmem.language.english import Clause
from graphmem.language.english_names import has_name, is_person, proper_name
from graphmem.language.english_phrases import phrase, prepositions
from graphmem.language.english_words import (
    EVENT_NOUNS,
    GROUP_NOUNS,
    INSTITUTIONS,
    KIN,
    NOT_PLAYED,
    OCCUPATIONS,
    ORG_NOUNS,
    OWNABLES,
    PETS,
    STUDY_PLACES,
)
from graphmem.language.lexicon import Lexicon, Sense

Token = Any


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two phrases that a clause may join by a relation."""

    sense: Sense
    subject: Token
    value: Token
    clause: Clause


def fits(pair: Pair, lexicon: Lexicon) -> bool:
    """Whether the relation can hold between two phrases of these kinds."""
    kind = lexicon.kinds.get(pair.sense.relation, "text")
    if pair.value.ent_type_ in {"DATE", "TIME"} and kind != "date":
        return False
    special = _GUARDS.get(pair.sense.relation)
    if special is not None:
        return special(pair)
    if kind in {"quantity", "date", "version", "status"}:
        return False
    if pair.clause.lemma in VAGUE_VERBS or pair.value.pos_ in {"VERB", "AUX", "ADV"}:
        return False
    return _free_guard(pair, kind)


VAGUE_VERBS = frozenset(
    {
        "have",
        "get",
        "do",
        "make",
        "go",
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


def _free_guard(pair: Pair, kind: str) -> bool:
    if kind in {"person", "place"} and not has_name(pair.value):
        return False
    return not (
        pair.clause.lemma in {"eat", "drink"} and (pair.clause.tense != "present" or pair.clause.verb.tag_ == "VBG")
    ) and pair.value.pos_ in {
        "NOUN",
        "PROPN",
        "ADJ",
        "NUM",
        "X",
    }


def _lives(pair: Pair) -> bool:
    if pair.sense.effect == "-" and pair.clause.lemma == "leave":
        return (
            pair.value.ent_type_ == "GPE"
            and is_person(pair.subject)
            and pair.clause.tense == "past"
            and not any(p == "for" for p, _ in prepositions(pair.clause.verb))
            and False
        )
    return (
        is_person(pair.subject) and has_name(pair.value) and pair.value.pos_ in {"PROPN", "NOUN"} and pair.value.ent_type_ != "PERSON"
    ) or (is_person(pair.subject) and pair.value.pos_ == "PROPN")


def _works(pair: Pair) -> bool:
    head = pair.value.lemma_.lower()
    if head in GROUP_NOUNS or (head in STUDY_PLACES and pair.clause.lemma == "join"):
        return False
    if pair.clause.lemma in {"leave", "join", "quit"}:
        return (
            is_person(pair.subject) and has_name(pair.value) and pair.value.ent_type_ not in {"GPE", "LOC"} and pair.value.pos_ == "PROPN"
        )
    if pair.clause.lemma == "start" and head in STUDY_PLACES:
        return False
    if pair.clause.lemma == "work" and any(p == "in" and pair.value in v for p, v in prepositions(pair.clause.verb)):
        return is_person(pair.subject) and head in ORG_NOUNS
    return is_person(pair.subject) and (has_name(pair.value) or head in ORG_NOUNS)


def _title(pair: Pair) -> bool:
    return is_person(pair.subject) and pair.value.pos_ in {"NOUN", "PROPN"} and (pair.clause.lemma != "become" or _occupation(pair.value))


def _occupation(token: Token) -> bool:
    return token.lemma_.lower() in OCCUPATIONS


def _studies(pair: Pair) -> bool:
    words = set(phrase(pair.value).lower().split())
    school = bool(words & STUDY_PLACES)
    if pair.clause.lemma in {"go", "attend", "start", "accept", "admit"}:
        return is_person(pair.subject) and school and pair.clause.tense in {"present", "perfect", "past"} and has_name(pair.value)
    return is_person(pair.subject) and (school or has_name(pair.value)) and pair.value.lemma_.lower() not in EVENT_NOUNS


def _named_person(pair: Pair) -> bool:
    return (
        is_person(pair.subject) and is_person(pair.value) and (pair.value.pos_ in {"PROPN", "PRON"} or proper_name(pair.value) is not None)
    )


def _works_with(pair: Pair) -> bool:
    return _named_person(pair) and pair.value.pos_ != "PRON" and pair.value.ent_type_ not in {"ORG", "PRODUCT"}


def _owns(pair: Pair) -> bool:
    head = pair.value.lemma_.lower()
    if pair.clause.lemma in {"own", "possess"}:
        return pair.value.pos_ in {"NOUN", "PROPN"} and head not in PETS
    if pair.clause.lemma == "drive":
        return pair.value.pos_ == "PROPN" and is_person(pair.subject) and pair.clause.tense == "present"
    return (
        head in OWNABLES
        and pair.clause.lemma in {"have", "buy", "purchase", "get", "acquire", "sell"}
        and (pair.clause.lemma != "have" or pair.clause.tense == "present")
    )


def _pet(pair: Pair) -> bool:
    named = any(
        (child.dep_ in {"appos", "acl", "relcl"} and child.lemma_ in {"name", "call"}) or child.dep_ == "appos"
        for child in pair.value.children
    )
    return (
        is_person(pair.subject)
        and not named
        and pair.value.lemma_.lower() in PETS
        and not any(child.dep_ == "prep" and child.lower_ == "of" for child in pair.value.children)
    )


def _allergic(pair: Pair) -> bool:
    return pair.value.pos_ in {"NOUN", "PROPN", "ADJ", "VERB"} and is_person(pair.subject)


def _speaks(pair: Pair) -> bool:
    return (
        is_person(pair.subject)
        and pair.value.text[:1].isupper()
        and pair.clause.verb.tag_ != "VBG"
        and pair.value.ent_type_ not in {"PERSON", "ORG", "DATE"}
    )


def _member(pair: Pair) -> bool:
    head = pair.value.lemma_.lower()
    part = any(child.lemma_ == "part" for child in pair.clause.verb.children)
    if part and pair.subject.pos_ != "PRON" and pair.subject.lemma_.lower() not in KIN:
        return False
    grouped = head in GROUP_NOUNS or bool({word.lower() for word in phrase(pair.value).split()} & GROUP_NOUNS)
    if pair.clause.lemma in {"join", "leave", "quit", "play", "sing", "be"} and not any(
        child.lemma_ == "member" for child in pair.clause.verb.children
    ):
        return is_person(pair.subject) and grouped
    return is_person(pair.subject) and (grouped or has_name(pair.value))


def _located(pair: Pair) -> bool:
    if is_person(pair.subject) and (pair.subject.pos_ != "PROPN" or (pair.clause.lemma == "base" and pair.subject.ent_type_ != "ORG")):
        return False
    if pair.subject.pos_ == "PROPN" and pair.clause.lemma == "be" and pair.subject.ent_type_ == "PERSON":
        return False
    if pair.clause.lemma == "be" and not _place_subject(pair.subject):
        return False
    return (
        pair.value.pos_ == "PROPN"
        and pair.subject.lower_ not in {"it", "this", "that", "they"}
        and pair.value.ent_type_ not in {"DATE", "TIME", "ORG", "PERSON"}
    ) or (pair.clause.lemma != "be" and has_name(pair.value))


def _place_subject(subject: Token) -> bool:
    """Something that stands somewhere: a named thing or a building, no trip, person or abstract noun."""
    return subject.lemma_.lower() in INSTITUTIONS | ORG_NOUNS or (
        subject.pos_ == "PROPN" and subject.ent_type_ in {"ORG", "FAC", "GPE", "LOC"}
    )


def _part_of(pair: Pair) -> bool:
    if pair.subject.pos_ == "PRON" or pair.subject.lemma_.lower() in KIN or (pair.subject.pos_ == "NOUN" and not has_name(pair.value)):
        return False
    return pair.value.pos_ == "PROPN" or (
        pair.value.lemma_.lower() in ORG_NOUNS | {"department", "division", "group"} and not is_person(pair.subject)
    )


def _uses(pair: Pair) -> bool:
    if pair.clause.lemma in {"work", "adopt", "move"} and is_person(pair.subject):
        return False
    if pair.clause.lemma == "use":
        return pair.clause.verb.lower_ != "used" and (
            has_name(pair.value)
            or (
                not is_person(pair.subject)
                and pair.value.pos_ in {"NOUN", "PROPN"}
                and not any(child.dep_ == "poss" for child in pair.value.children)
            )
        )
    return has_name(pair.value)


def _depends(pair: Pair) -> bool:
    if pair.clause.lemma in {"require", "need"}:
        return has_name(pair.value) and not is_person(pair.subject)
    return (
        pair.value.pos_ in {"NOUN", "PROPN"} and pair.subject.lower_ not in {"it", "that", "this", "which"} and not is_person(pair.subject)
    )


def _capital(pair: Pair) -> bool:
    return bool(pair.subject.pos_ == "PROPN" and pair.value.pos_ == "PROPN")


def _plays(pair: Pair) -> bool:
    articles = {child.lower_ for child in pair.value.children if child.dep_ in {"det", "poss"}}
    return (
        is_person(pair.subject)
        and pair.value.pos_ in {"NOUN", "PROPN"}
        and pair.value.lemma_.lower() not in NOT_PLAYED
        and pair.value.lower_ not in NOT_PLAYED
        and articles <= {"the"}
    )


def _created(pair: Pair) -> bool:
    if (pair.clause.tense not in {"past", "perfect"} and pair.clause.lemma != "be") or pair.clause.verb.tag_ == "VBG":
        return False
    if pair.sense.inverse:
        return is_person(pair.value) or has_name(pair.value)
    if (
        pair.subject.pos_ == "PROPN"
        and pair.value.pos_ == "NOUN"
        and pair.clause.lemma in {"invent", "found", "create", "design", "compose", "develop"}
    ):
        return True
    return has_name(pair.value) and (pair.value.pos_ == "PROPN" or pair.value.text[:1].isupper()) and is_person(pair.subject)


def _manages(pair: Pair) -> bool:
    if (
        pair.clause.lemma == "run"
        and not pair.sense.inverse
        and pair.value.lemma_.lower()
        not in GROUP_NOUNS
        | ORG_NOUNS
        | {"department", "division", "project", "business", "program", "programme", "operation", "desk", "site"}
    ):
        return False
    if pair.clause.lemma in {"run", "lead", "head"} and pair.value.lemma_.lower() in {
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
    person = pair.value if pair.sense.inverse else pair.subject
    other = pair.subject if pair.sense.inverse else pair.value
    return (
        is_person(person)
        and other.pos_ in {"NOUN", "PROPN"}
        and (pair.clause.lemma not in {"run", "lead", "head", "manage"} or pair.clause.verb.dep_ != "relcl")
    )


def _visited(pair: Pair) -> bool:
    if not is_person(pair.subject) or pair.clause.tense not in {"past", "perfect"}:
        return False
    return (
        pair.value.pos_ == "PROPN"
        and pair.value.ent_type_ not in {"PERSON", "ORG", "EVENT", "DATE"}
        and not ({w.lower() for w in phrase(pair.value).split()} & (EVENT_NOUNS | STUDY_PLACES))
    ) or (pair.clause.lemma in {"visit", "fly", "travel"} and pair.value.pos_ == "PROPN" and pair.value.ent_type_ != "DATE")


def _attended(pair: Pair) -> bool:
    head = pair.value.lemma_.lower()
    if not is_person(pair.subject) or pair.clause.tense not in {"past", "perfect"} or head in STUDY_PLACES:
        return False
    return (
        head in EVENT_NOUNS
        or pair.value.ent_type_ == "EVENT"
        or (pair.clause.lemma in {"attend", "participate"} and pair.value.pos_ in {"NOUN", "PROPN"} and head not in ORG_NOUNS)
    )


def _never(_: Pair) -> bool:
    return False


_GUARDS: dict[str, Callable[[Pair], bool]] = {
    "lives_in": _lives, "works_at": _works, "job_title": _title, "studies_at": _studies, "married_to": _named_person, "partner_of": _named_person,
    "friend_of": _named_person, "colleague_of": _works_with, "sibling_of": _named_person, "parent_of": _named_person, "child_of": _named_person, "owns": _owns, "has_pet": _pet,
    "allergic_to": _allergic, "speaks": _speaks, "member_of": _member, "located_in": _located, "part_of_org": _part_of, "uses": _uses,
    "depends_on": _depends, "capital_of": _capital, "plays": _plays, "created": _created, "manages": _manages, "visited": _visited, "attended": _attended,
    "name": _never, "nickname": _never, "favorite": _never, "likes": _never, "dislikes": _never, "born_on": _never, "address": _never, "phone": _never, "email": _never,
    "goal_of": _never, "hometown": lambda pair: is_person(pair.subject) and has_name(pair.value), "knows": _never, "skill": _never, "includes": _never,
}  # fmt: skip
"""What each core relation asks of its subject and object beyond the kind that the ontology declares."""
