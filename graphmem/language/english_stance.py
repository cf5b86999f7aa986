"""Whether an English predicate is asserted, and for which time: negation, modality, conditions, questions, reports, wishes."""

from __future__ import annotations

from typing import Any, Literal

from graphmem.language.english_phrases import SUBJECTS, VERBAL, is_parataxis, phrase, subjects_of
from graphmem.language.english_words import (
    ASPECTUAL,
    ASSERTING_ADJECTIVES,
    CONDITIONALS,
    DOUBTING_ADVERBS,
    FACTIVE,
    FICTION,
    HYPOTHETICAL_STARTS,
    INTENDING,
    REPORTING,
    STOPPING,
    VAGUE_SOURCES,
)

Token = Any
Stance = Literal[
    "asserted", "negated", "ended", "begun", "question", "hypothetical", "intended", "modal", "imperative", "reported", "unsure"
]
Tense = Literal["past", "present", "perfect", "future", "base"]


def auxiliaries(verb: Token) -> list[Token]:
    own = [child for child in verb.children if child.dep_ in {"aux", "auxpass"}]
    if (
        not own
        and verb.dep_ == "conj"
        and verb.head.pos_ in VERBAL
        and not any(child.dep_ in SUBJECTS for child in verb.children)
        and verb.tag_ in {"VB", "VBN", "VBG"}
    ):
        return auxiliaries(verb.head)
    return own


def tense_of(verb: Token) -> Tense:
    auxes = auxiliaries(verb)
    words = {aux.lower_ for aux in auxes}
    if words & {"will", "'ll", "wo", "shall"}:
        return "future"
    if any(aux.lemma_ == "have" or aux.lower_ in {"have", "has", "'ve"} for aux in auxes):
        return "perfect"
    if words & {"did", "was", "were", "got"} or (verb.tag_ in {"VBD", "VBN"} and not auxes):
        return "past"
    if verb.tag_ == "VB" and not auxes:
        return "base"
    return "present"


def _negated(verb: Token) -> bool:
    around = [child.lower_ for child in verb.children if child.dep_ in {"neg", "advmod", "preconj", "cc", "det"} and child.i < verb.i]
    if any(child.dep_ == "neg" for child in verb.children) or set(around) & {
        "never",
        "neither",
        "nor",
        "hardly",
        "barely",
        "scarcely",
        "rarely",
    }:
        return True
    if verb.i > verb.sent.start and verb.nbor(-1).lower_ in {"nor", "neither", "not", "never"}:
        return True
    denied = [child for child in verb.children if child.dep_ in {"dobj", "attr", "nsubj", "nsubjpass"}]
    if any(inner.lower_ in {"no", "none", "nobody", "nothing", "neither"} for child in denied for inner in (child, *child.lefts)):
        return True
    if verb.dep_ == "conj" and verb.head.pos_ in VERBAL and not any(child.dep_ in SUBJECTS for child in verb.children):
        joined = {child.lower_ for child in verb.head.children if child.dep_ == "cc"}
        return bool(joined & {"or", "nor"}) and _negated(verb.head)
    return False


def _own_stance(verb: Token) -> Stance:
    adverbs = {child.lower_ for child in verb.children if child.dep_ in {"advmod", "npadvmod", "neg"}}
    auxes = {aux.lower_ for aux in auxiliaries(verb)}
    after = {token.lower_ for token in verb.subtree}
    if (
        ("longer" in after and "no" in after)
        or (_negated(verb) and after & {"anymore", "any more"})
        or ("more" in adverbs and _negated(verb))
    ):
        return "ended"
    if _negated(verb):
        return "negated"
    if adverbs & DOUBTING_ADVERBS:
        return "unsure"
    if auxes & {"will", "'ll", "shall", "wo"}:
        return "intended"
    if auxes & {"would", "'d", "could", "can", "ca", "may", "might", "must", "should", "ought"} and "had" not in auxes:
        return "modal"
    return "asserted"


def is_imperative(verb: Token) -> bool:
    """A bare verb without subject that opens its sentence or follows please."""
    if verb.tag_ not in {"VB", "VBP"} or any(child.dep_ in SUBJECTS and child.i < verb.i for child in verb.children):
        return False
    if any(child.dep_ == "aux" and child.lower_ not in {"do", "don't"} for child in verb.children):
        return False
    return (
        verb.dep_ in {"ROOT", "parataxis"}
        or (verb.dep_ == "ccomp" and is_parataxis(verb))
        or (verb.dep_ == "conj" and verb.head.pos_ in VERBAL and is_imperative(verb.head))
    )


def stance_of(verb: Token, sentence: Any, question: bool) -> tuple[Stance, str | None]:
    own = _own_stance(verb)
    around, source = _context(verb)
    opening = sentence.text.lstrip(" \"'-").casefold()
    if opening.startswith(HYPOTHETICAL_STARTS) or FICTION.search(opening):
        around = "hypothetical"
    if around in {"hypothetical", "question", "intended", "unsure", "modal", "negated"}:
        return around, source
    if question and not _stands_before_question(verb, sentence):
        return "question", source
    if is_imperative(verb):
        return ("negated" if own == "negated" else "imperative"), source
    if around in {"ended", "begun"} and own == "asserted":
        return around, source
    if around == "reported" and own in {"asserted", "ended"}:
        return ("reported" if own == "asserted" else own), source
    return own, source


def _stands_before_question(verb: Token, sentence: Any) -> bool:
    """A statement followed by a question in one sentence: "I'm allergic to nuts, is this safe?"."""
    root = sentence.root
    if verb.i == root.i or not (is_parataxis(verb) or (verb.dep_ in {"ccomp", "ROOT"} and verb.i < root.i)):
        return False
    subject = next((child for child in verb.children if child.dep_ in SUBJECTS), None)
    return (
        subject is not None
        and subject.i < verb.i
        and subject.tag_ not in {"WP", "WDT"}
        and all(aux.i > subject.i for aux in auxiliaries(verb))
    )


def _context(verb: Token) -> tuple[Stance, str | None]:
    """What the words above a predicate make of it."""
    stance: Stance = "asserted"
    source = None
    token = verb
    while True:
        if any(child.dep_ == "advcl" and child.i != token.i and _mark(child) in CONDITIONALS for child in token.children) and _conditional(
            token
        ):
            return "hypothetical", None
        if token.dep_ == "ROOT" or token.head.i == token.i:
            return stance, source
        step, said_by = _step(token)
        if step not in {"asserted", "reported", "ended", "begun"}:
            return step, None
        if step != "asserted":
            stance, source = step, said_by or source
        token = token.head


def _conditional(main: Token) -> bool:
    return bool(main.dep_ != "xcomp")


def _mark(verb: Token) -> str:
    words = [child.lower_ for child in verb.children if child.dep_ in {"mark", "advmod"} and child.i < verb.i]
    return " ".join(words[:2]) if words[:2] in (["as", "if"], ["as", "though"], ["in", "case"]) else next(iter(words), "")


def _step(token: Token) -> tuple[Stance, str | None]:
    """What the head of a subordinate predicate makes of it."""
    head, dep = token.head, token.dep_
    mark = _mark(token)
    if dep in {"ccomp", "xcomp", "advcl", "acl", "pcomp", "csubj", "dep"} and mark in CONDITIONALS | {"whether"}:
        return "hypothetical", None
    if dep == "advcl" and mark in {"when", "whenever", "until", "before", "once", "unless", "lest", "till"}:
        return "hypothetical", None
    if dep == "relcl":
        named = token.head.pos_ == "PROPN" or any(
            child.dep_ in {"poss", "det"} and child.lower_ not in {"a", "an", "any", "some", "no"} for child in token.head.children
        )
        return ("asserted" if named else "unsure"), None
    if dep == "xcomp":
        return _governed(head)
    if dep == "ccomp" and not is_parataxis(token):
        return _complement(token, head)
    if dep == "pcomp" and head.dep_ == "prep":
        return ("unsure", None) if head.lower_ in {"without", "instead", "of", "about", "like", "before", "for"} else ("asserted", None)
    return "asserted", None


def _governed(head: Token) -> tuple[Stance, str | None]:
    lemma = head.lemma_.lower()
    own = _own_stance(head)
    if own == "negated":
        return "negated", None
    if lemma == "use" and head.lower_ == "used":
        return "ended", None
    if lemma in STOPPING:
        return "ended", None
    if lemma in ASPECTUAL:
        return ("begun", None) if own == "asserted" else (own, None)
    if lemma in INTENDING or lemma == "go":
        return "intended", None
    if lemma in {"manage", "get", "happen", "be"}:
        return "asserted", None
    return "unsure", None


def _complement(token: Token, head: Token) -> tuple[Stance, str | None]:
    lemma = head.lemma_.lower()
    own = _own_stance(head)
    if (
        any(child.tag_ in {"WP", "WRB", "WDT"} and child.dep_ != "mark" and child.i < token.i for child in token.children)
        and lemma not in FACTIVE
    ):
        return "question", None
    if lemma == "be":
        adjective = next((child.lemma_ for child in head.children if child.dep_ in {"acomp", "attr"}), "")
        return ("asserted", None) if own == "asserted" and adjective in ASSERTING_ADJECTIVES else ("unsure", None)
    if lemma in FACTIVE:
        return ("asserted", None) if own in {"asserted", "imperative"} or lemma == "forget" else ("unsure", None)
    if lemma in REPORTING and own == "asserted":
        subject = next(iter(subjects_of(head)), None)
        if subject is None:
            return "unsure", None
        if subject.lower_ in {"i", "we"}:
            return "asserted", None
        return ("unsure", None) if subject.lower_ in VAGUE_SOURCES else ("reported", phrase(subject))
    return "unsure", None


def is_question(span: Any) -> bool:
    """Asked with a question mark, or by an auxiliary or question word that stands first."""
    text = span.text.rstrip(" \"')")
    if text.endswith("?"):
        return True
    words = [token for token in span if token.pos_ not in {"PUNCT", "INTJ", "CCONJ"} and token.lower_ not in {"so", "hey", "well", "okay"}]
    if len(words) < 3 or text.endswith("!"):
        return False
    first, second = words[0], words[1]
    inverted = first.lower_ in {
        "do",
        "does",
        "did",
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "can",
        "could",
        "will",
        "would",
        "should",
        "am",
    }
    return (inverted and second.dep_ in SUBJECTS and second.i > first.i) or (
        first.tag_ in {"WP", "WRB"} and words[1].pos_ == "AUX" and first.lower_ not in {"when", "while"}
    )
