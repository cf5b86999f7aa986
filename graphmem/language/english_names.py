"""Who and what an English noun phrase names: pronouns, kinship, titles, and the kinds that relations ask for."""

from __future__ import annotations

import re
from typing import Any

from graphmem.language.english import Sentence
from graphmem.language.english_phrases import coordinated, phrase, phrase_span
from graphmem.language.english_words import DAYS, GROUP_NOUNS, KIN, OCCUPATIONS, ORG_NOUNS, ORG_SUFFIXES, PETS, RELATIVES, TITLES
from graphmem.language.scene import Scene

Token = Any
FIRST = frozenset({"i", "me", "my", "mine", "myself", "we", "us", "our", "ours"})
SECOND = frozenset({"you", "your", "yours"})
THIRD = {"he": "m", "him": "m", "his": "m", "she": "f", "her": "f", "hers": "f"}
PLURAL = frozenset({"they", "them", "their"})
EMPTY = frozenset(
    {
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "there",
        "one",
        "ones",
        "who",
        "which",
        "what",
        "everyone",
        "someone",
        "something",
        "anyone",
        "anything",
        "everything",
        "nothing",
        "people",
        "somebody",
        "all",
        "some",
        "others",
        "other",
        "stuff",
        "thing",
        "things",
        "way",
        "lot",
        "bit",
        "none",
        "both",
        "each",
        "many",
        "much",
        "such",
        "same",
        "myself",
        "yourself",
        "himself",
        "herself",
        "themselves",
        "each other",
    }
)
_WEAK = re.compile(
    r"^(?:(?:new|old|own|big|little|dear|lovely|very|best|good|close|younger|older|elder|big|eldest|youngest|only|current|former|late) )+",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"['’]s$")


def names(token: Token, scene: Scene) -> tuple[str, ...]:
    """The names that a noun phrase stands for; empty where nothing definite is meant."""
    word = token.lower_
    if word in {"i", "me", "my", "mine", "myself", "we", "us", "our", "ours"}:
        return (scene.speaker,)
    if word in SECOND:
        return (scene.turn.addressee,) if scene.turn.addressee else ()
    meet_before(token, scene)
    if word in THIRD:
        found = scene.who(THIRD[word])
        return (found,) if found else ()
    if word in PLURAL:
        return scene.group
    if word in {"it", "its"}:
        found = scene.thing()
        return (found,) if found else ()
    if token.pos_ == "PRON" or word in EMPTY:
        return ()
    return (name,) if (name := name_of(token, scene)) else ()


def name_of(token: Token, scene: Scene) -> str | None:
    """One name for a noun phrase that is no pronoun."""
    own = proper_name(token)
    if own:
        return own
    if is_kin(token):
        return _relative(token, scene)
    text = phrase(token)
    if len(text.split()) > 8 or len(text) > 80:
        return None
    owner = next((child for child in token.children if child.dep_ == "poss"), None)
    if owner is not None and (owner.lower_ not in FIRST | SECOND or token.lemma_.lower() in RELATIVES):
        whose = names(owner, scene)
        return f"{whose[0]}'s {text}" if whose else text
    return text


def _relative(token: Token, scene: Scene) -> str | None:
    """A relative by the name that stands beside the noun, else by whose relative it is."""
    called = [child for child in token.children if child.dep_ in {"appos", "compound"} and child.pos_ == "PROPN"]
    name = proper_name(called[0]) if called else None
    owner = next((found for child in token.children if child.dep_ == "poss" for found in names(child, scene)), None)
    return name or (f"{owner}'s {token.lower_}" if owner else None)


def proper_name(token: Token) -> str | None:
    """The name in a phrase whose head, or whose apposition, is a proper noun: "my husband Ravi", "Patient Elif Demir"."""
    if token.pos_ != "PROPN" and not (token.ent_type_ == "PERSON" and token.text[:1].isupper()):
        called = [child for child in token.children if child.dep_ == "appos" and child.pos_ == "PROPN"]
        if called and (token.lemma_.lower() in KIN or token.lemma_.lower() in PETS or token.lemma_.lower() in OCCUPATIONS | TITLES):
            return proper_name(called[0])
        return None
    first, last = phrase_span(token)
    words = list(token.doc[first.i : last.i + 1])
    while (
        len(words) > 1
        and (
            words[0].lower_ in TITLES
            or words[0].lemma_.lower() in KIN
            or words[0].lemma_.lower() in PETS
            or (words[0].dep_ == "amod" and words[0].text.islower())
        )
        and words[1].text[:1].isupper()
    ):
        words = words[1:]
    text = str(token.doc[words[0].i : words[-1].i + 1].text)
    return _POSSESSIVE.sub("", _WEAK.sub("", text)) if any(part[:1].isupper() or part[:1].isdigit() for part in text.split()) else None


def is_kin(token: Token) -> bool:
    return token.lemma_.lower() in KIN and token.pos_ in {"NOUN", "PROPN"}


def gender_of(token: Token) -> str:
    kin = [
        KIN[inner.lemma_.lower()]
        for inner in (token, *token.children, token.head)
        if inner.lemma_.lower() in KIN and (inner is token or inner.dep_ in {"compound", "appos", "nmod"} or token.dep_ == "appos")
    ]
    return (
        kin[0][1]
        if kin
        else {"mr.": "m", "mr": "m", "mrs.": "f", "mrs": "f", "ms.": "f", "ms": "f"}.get(token.doc[token.left_edge.i].lower_, "")
    )


def meet_before(token: Token, scene: Scene) -> None:
    """Take note of the names that come before a word in its sentence."""
    for earlier in token.sent:
        if earlier.i >= token.i:
            return
        if earlier.pos_ == "PROPN" and earlier.dep_ not in {"compound", "nmod"} and earlier.lower_ not in DAYS:
            name = proper_name(earlier)
            if name:
                scene.meet(name, kind_of(earlier), gender_of(earlier))


def meet_all(sentence: Sentence, scene: Scene) -> None:
    """Take note of every name in a sentence, its subjects last: they are what the next sentence most likely speaks of."""
    meet_before(sentence.tokens[-1], scene)
    for clause in sentence.clauses:
        for token in clause.subjects:
            if token.pos_ == "PROPN" and (name := proper_name(token)):
                scene.meet(name, kind_of(token), gender_of(token))


def kind_of(token: Token) -> str:
    """Person, Place, Organization or Thing, as well as form and place in the sentence tell."""
    last = token.lower_.strip(".,")
    if last in ORG_SUFFIXES or token.lemma_.lower() in ORG_NOUNS | GROUP_NOUNS:
        return "Organization"
    if any(child.dep_ == "det" for child in token.children):
        return "Thing"
    if token.ent_type_ == "PERSON":
        return "Person"
    preposition = token.head.lower_ if token.dep_ == "pobj" else ""
    if preposition == "to" and token.head.head.lemma_ in {
        "talk",
        "speak",
        "write",
        "listen",
        "say",
        "explain",
        "give",
        "send",
        "show",
        "introduce",
        "marry",
        "sell",
    }:
        return "Person"
    if preposition in {"in", "from", "to", "near", "at", "into"} or token.ent_type_ in {"LOC", "FAC"}:
        return "Place" if token.ent_type_ not in {"ORG", "PRODUCT"} else "Organization"
    if token.ent_type_ in {"PRODUCT", "WORK_OF_ART", "LANGUAGE", "EVENT", "DATE"}:
        return "Thing"
    if token.dep_ == "dobj" and token.head.lemma_ in {
        "meet",
        "see",
        "call",
        "know",
        "marry",
        "visit",
        "hire",
        "help",
        "ask",
        "tell",
        "email",
        "invite",
        "introduce",
        "thank",
    }:
        return "Person"
    if token.dep_ in {"nsubj", "nsubjpass", "appos", "conj", "poss"} or preposition in {"with", "by"}:
        return "Person"
    return "Place" if token.ent_type_ == "GPE" else "Organization" if token.ent_type_ == "ORG" else "Thing"


def is_person(token: Token) -> bool:
    """Whether a subject can be somebody rather than something."""
    if token.lower_ in FIRST | SECOND | set(THIRD) | PLURAL:
        return True
    head = token.lemma_.lower()
    if head in KIN or head in OCCUPATIONS or head in TITLES or head in {"man", "woman", "person"} | RELATIVES - {"team", "company"}:
        return True
    if (
        token.tag_ in {"NN", "RB", "UH"}
        and token.is_sent_start
        and token.dep_ in {"nsubj", "nsubjpass"}
        and not any(child.dep_ in {"det", "amod", "compound", "poss", "prep"} for child in token.children)
    ):
        return (
            token.text[:1].isupper()
            and head not in ORG_NOUNS | GROUP_NOUNS
            and not any(child.lower_ in {"favorite", "favourite"} for child in token.head.subtree)
        )
    return token.pos_ == "PROPN" and not any(child.dep_ == "det" for child in token.children) and token.lower_ not in ORG_SUFFIXES


def has_name(token: Token) -> bool:
    """A proper noun in the phrase that is no day or month."""
    first, last = phrase_span(token)
    inside = token.doc[first.i : last.i + 1]
    return any(
        (inner.pos_ == "PROPN" or (inner.text[:1].isupper() and not inner.is_sent_start)) and inner.lower_ not in DAYS for inner in inside
    )


def joined(token: Token, scene: Scene) -> tuple[str, ...]:
    """The names of a phrase and of what is coordinated with it."""
    return tuple(name for item in coordinated(token) for name in names(item, scene))
