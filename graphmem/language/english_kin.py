"""Relatives, friends, pets and what they are called, in English: "my sister Anna", "a dog named Rex", "Tom and I got married"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphmem.language.english import Clause, Sentence
from graphmem.language.english_facts import bounds
from graphmem.language.english_names import FIRST, is_person, names, proper_name
from graphmem.language.english_phrases import coordinated, prepositions
from graphmem.language.english_words import KIN, KIN_RELATION, PETS
from graphmem.language.lexicon import Lexicon, Sense, stem
from graphmem.language.scene import Held, Scene
from graphmem.language.values import value_in

Token = Any
_CALLED = frozenset({"name", "call", "nickname", "title", "know"})


def kin_fact(owner: str, noun: Token, named: str, span: tuple[int, int], scene: Scene) -> None:
    key = noun.lemma_.lower()
    role, gender = KIN.get(key, ("pet", "")) if key in KIN or key not in PETS else ("pet", "")
    relation, named_first = KIN_RELATION[role]
    if any(child.lower_ in {"ex", "former", "late"} for child in noun.children):
        return
    if role == "spouse" and any(child.lower_ == "future" for child in noun.children):
        return
    pair = (named, owner) if named_first else (owner, named)
    scene.fact(pair[0], relation, pair[1], span, Held(confidence=0.9))
    scene.meet(named, "Person", gender)


def relatives(sentence: Sentence, scene: Scene) -> None:
    """Read "my husband Ravi", "her sister Anna and her brother Tom": presupposed, so stated whatever the clause says."""
    doubtful = any(clause.stance == "hypothetical" for clause in sentence.clauses)
    for token in sentence.tokens:
        if doubtful or (token.lemma_.lower() not in KIN and token.lemma_.lower() not in PETS):
            continue
        head = token.head if token.dep_ in {"compound", "nmod", "amod"} and token.head.pos_ == "PROPN" else token
        owners = [child for child in (*token.children, *head.children) if child.dep_ == "poss"]
        called = (
            [proper_name(head)]
            if head is not token
            else [
                proper_name(item)
                for child in token.children
                if child.dep_ == "appos" and child.pos_ == "PROPN"
                for item in coordinated(child)
            ]
        )
        if token.dep_ == "appos" and token.head.pos_ == "PROPN":
            called = [proper_name(token.head)]
        for owner in {name for child in owners for name in names(child, scene)}:
            for name in called:
                if name and name.casefold() not in KIN:
                    kin_fact(owner, token, name, (head.left_edge.idx, head.idx + len(head)), scene)


def is_relative(subject: Token, value: Token, clause: Clause, scene: Scene) -> None:
    """Read "Tom is my brother", "my brother is Tom", "Anna is the mother of Leo"."""
    for noun, other in ((value, subject), (subject, value)):
        if noun.lemma_.lower() not in KIN and noun.lemma_.lower() not in PETS:
            continue
        owner = next((child for child in noun.children if child.dep_ == "poss"), None)
        owner = owner or next((pobj for prep, found in prepositions(noun) for pobj in found if prep == "of"), None)
        if owner is None or clause.tense == "past":
            continue
        for person in coordinated(other):
            name = proper_name(person)
            if name is None and (person.lower_ in {"he", "she"} or (person.lower_ in FIRST and owner.pos_ == "PROPN")):
                name = next(iter(names(person, scene)), None)
            for whose in names(owner, scene):
                if name and name != whose:
                    kin_fact(whose, noun, name, clause.span, scene)


def having(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    """Read "I have two children, Theo and Ada", "she has a brother named Tom", "we have a budget of 500 dollars"."""
    if clause.lemma not in {"have", "get", "adopt", "own"} or clause.passive:
        return
    for noun in clause.children("dobj"):
        key = noun.lemma_.lower()
        if key in KIN or key in PETS:
            called = list(_given_names(noun))
            for owner in [name for subject in clause.subjects for name in names(subject, scene)]:
                for name in called:
                    kin_fact(owner, noun, name, clause.span, scene)
            continue
        sense = lexicon.nouns.get(stem(key))
        if sense is not None and lexicon.kinds.get(sense.relation) in {"quantity", "date"}:
            _had_amount(clause, noun, sense, scene, lexicon)
        if key == "allergy" and lexicon.knows("allergic_to"):
            to = [item for child in noun.children if child.dep_ == "compound" for item in (child,)]
            for owner in [name for subject in clause.subjects for name in names(subject, scene)]:
                for item in to[:1]:
                    scene.fact(owner, "allergic_to", str(item.doc[item.left_edge.i : noun.i].text), clause.span, Held(confidence=0.9))


def _had_amount(clause: Clause, noun: Token, sense: Sense, scene: Scene, lexicon: Lexicon) -> None:
    found = value_in(sense.relation, lexicon.kinds[sense.relation], scene.text[noun.idx : clause.span[1]], scene, noun.idx)
    owner = next(
        (
            pobj
            for head in (noun, clause.verb)
            for prep, values in prepositions(head)
            for pobj in values
            if prep == "for" and not pobj.like_num and pobj.ent_type_ != "MONEY"
        ),
        None,
    )
    whose = names(owner, scene) if owner is not None else tuple(name for subject in clause.subjects for name in names(subject, scene))
    for name in whose:
        for value in found[:1]:
            scene.fact(name, sense.relation, value, clause.span, Held(confidence=0.8))


def _given_names(noun: Token) -> Iterator[str]:
    """Names that a noun is given behind it: "children, Theo and Ada", "a dog named Rex", "a cat called Milo"."""
    for child in noun.children:
        if child.dep_ == "appos" and child.pos_ == "PROPN":
            yield from (name for item in coordinated(child) if (name := proper_name(item)))
        if child.dep_ in {"acl", "relcl"} and child.lemma_ in _CALLED:
            for inner in child.children:
                if inner.dep_ in {"oprd", "dobj", "attr"} and inner.text[:1].isupper():
                    yield from (item.text if item.pos_ != "PROPN" else proper_name(item) or item.text for item in coordinated(inner))


def called(clause: Clause, scene: Scene) -> None:
    """Read "my sister is called Anna", "everyone calls me Ace", "she goes by Liz"."""
    verb = clause.verb
    if verb.lemma_ in {"call", "nickname"} and not clause.passive:
        whom = [child for child in verb.children if child.dep_ in {"dobj", "nsubj", "dative"}]
        given = [
            inner
            for child in verb.children
            if child.dep_ in {"oprd", "ccomp", "attr"}
            for inner in (child, *child.children)
            if inner.pos_ == "PROPN"
        ]
        people = [
            token
            for token in (
                *whom,
                *[inner for child in verb.children if child.dep_ in {"ccomp", "oprd"} for inner in child.children if inner.dep_ == "nsubj"],
            )
            if token not in clause.subjects
        ]
        for name in [name for token in people[:1] for name in names(token, scene)]:
            for value in given[:1]:
                scene.fact(name, "nickname", proper_name(value) or value.text, clause.span)
        return
    given = [child for child in verb.children if child.dep_ in {"oprd", "attr", "dobj", "ccomp"} and child.text[:1].isupper()]
    by = [item for prep, values in prepositions(verb) for item in values if prep in {"by", "as"} and item.text[:1].isupper()]
    if verb.lemma_ in {"name", "call"} and clause.passive:
        _named_so(clause, given, scene)
    elif (
        (verb.lemma_ == "nickname" and clause.passive)
        or (verb.lemma_ == "go" and any(p == "by" for p, _ in prepositions(verb)))
        or (verb.lemma_ == "know" and clause.passive)
    ):
        for name in [name for subject in clause.subjects for name in names(subject, scene)]:
            for value in (given or by)[:1]:
                scene.fact(name, "nickname", proper_name(value) or value.text, clause.span)


def _named_so(clause: Clause, given: list[Token], scene: Scene) -> None:
    for subject in clause.subjects:
        key = subject.lemma_.lower()
        owner = next((child for child in subject.children if child.dep_ == "poss"), None)
        for value in given[:1]:
            name = proper_name(value) or value.text
            if (key in KIN or key in PETS) and owner is not None:
                for whose in names(owner, scene):
                    kin_fact(whose, subject, name, clause.span, scene)
            elif key not in KIN and key not in PETS:
                for who in names(subject, scene):
                    scene.fact(who, "name", name, clause.span)


_JOINT = {
    "married": "married_to",
    "friend": "friend_of",
    "colleague": "colleague_of",
    "coworker": "colleague_of",
    "sibling": "sibling_of",
    "brother": "sibling_of",
    "sister": "sibling_of",
    "twin": "sibling_of",
    "engaged": "partner_of",
    "couple": "partner_of",
    "teammate": "colleague_of",
    "buddy": "friend_of",
    "roommate": "friend_of",
}


def joint(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    """Read "Anna and I are married", "Tom and Ben are brothers", "Tom and I got married in 2018"."""
    if len(clause.subjects) < 2 or clause.lemma not in {"be", "get", "marry"}:
        return
    words = {child.lemma_.lower() for child in clause.children("attr", "acomp", "oprd", "xcomp", "dobj")} | (
        {"married"} if clause.lemma == "marry" else set()
    )
    words |= {"married"} if any(child.lower_ == "married" for child in clause.verb.children) or clause.verb.lower_ == "married" else set()
    words |= {"engaged"} if any(child.lower_ == "engaged" for child in clause.verb.children) else set()
    relation = next((_JOINT[word] for word in words if word in _JOINT), None)
    if relation is None or not lexicon.knows(relation):
        return
    since, _, point = bounds(scene.times(*clause.span), scene)
    people = [name for subject in clause.subjects for name in names(subject, scene) if is_person(subject)]
    for other in people[1:]:
        scene.fact(people[0], relation, other, clause.span, Held(since=since or point, confidence=0.85))


def kin_named(owner: Token, clause: Clause, scene: Scene) -> None:
    """Read "My wife's name is Sofia" says who the wife is."""
    whose = next((child for child in owner.children if child.dep_ == "poss"), None)
    for value in [item for middle in clause.children("attr", "acomp") for item in coordinated(middle)]:
        name = proper_name(value) or (value.text if value.text[:1].isupper() else None)
        for holder in names(whose, scene) if whose is not None and name else ():
            kin_fact(holder, owner, name or "", clause.span, scene)
