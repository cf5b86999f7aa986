"""Arguments of English predicates, read off the dependency parse: subjects, noun phrases, prepositions, the characters of a clause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphmem.language.english_words import BELIEVING, CLAIMING, REPORTING

Token = Any  # spacy.tokens.Token; spaCy is loaded only when something is read
SUBJECTS = frozenset({"nsubj", "nsubjpass"})
VERBAL = frozenset({"VERB", "AUX"})
_LEFT_OUT = frozenset(
    {"relcl", "appos", "conj", "cc", "punct", "acl", "preconj", "advcl", "case", "npadvmod", "intj", "parataxis", "predet"}
)
_OF_ONLY = frozenset({"of"})


def subjects_of(verb: Token, depth: int = 0) -> Iterator[Token]:
    own = [child for child in verb.children if child.dep_ in SUBJECTS]
    if own and own[-1].lower_ in {"who", "which", "that"} and verb.dep_ == "relcl":
        yield verb.head
    elif own:
        yield from coordinated(own[-1])
    elif verb.dep_ == "acl" and verb.head.pos_ in {"NOUN", "PROPN"}:
        yield verb.head
    elif depth < 6 and verb.dep_ in {"conj", "xcomp", "advcl", "pcomp"} and verb.head.i != verb.i:
        head = verb.head if verb.head.pos_ in VERBAL or verb.dep_ == "conj" else verb.head.head
        objects = [child for child in head.children if child.dep_ == "dobj"]
        if (
            verb.dep_ == "xcomp"
            and objects
            and head.lemma_ in {"ask", "tell", "want", "help", "get", "remind", "allow", "let", "invite", "encourage"}
        ):
            yield from objects[:1]
        elif head.pos_ in VERBAL:
            yield from subjects_of(head, depth + 1)


def coordinated(token: Token) -> Iterator[Token]:
    """A noun phrase's head and what is joined to it by commas, "and" or "or"."""
    yield token
    if any(child.dep_ == "cc" and child.text == "&" for child in token.children):
        return
    for child in token.children:
        if child.dep_ == "conj" and child.pos_ not in VERBAL:
            yield from coordinated(child)


def phrase_span(token: Token) -> tuple[Token, Token]:
    """First and last token of a noun phrase without determiner, clauses, appositions and prepositions other than "of"."""
    kept = [token]
    firm = any(child.dep_ == "cc" and child.text == "&" for child in token.children)
    for child in token.children:
        if firm and child.dep_ in {"conj", "cc"}:
            kept += child.subtree
            continue
        if child.dep_ == "poss" and child.pos_ == "PROPN" and token.pos_ == "PROPN":
            kept += child.subtree
            continue
        if child.dep_ in _LEFT_OUT or child.dep_ in {"det", "poss", "neg", "quantmod"}:
            continue
        if child.dep_ == "prep" and (child.lower_ not in _OF_ONLY or child.i < token.i):
            continue
        kept += [
            inner for inner in child.subtree if child.dep_ == "prep" or inner.dep_ not in {"punct", "cc"} or inner.lower_ in {"-", "&"}
        ]
    kept = [inner for inner in kept if inner.i <= token.i or all(k.dep_ != "relcl" for k in inner.ancestors if k.i > token.i)]
    return min(kept, key=lambda t: t.i), max(kept, key=lambda t: t.i)


def phrase(token: Token) -> str:
    first, last = phrase_span(token)
    return str(token.doc[first.i : last.i + 1].text)


def prepositions(head: Token) -> Iterator[tuple[str, list[Token]]]:
    """(preposition, its objects) of a verb, adjective or noun."""
    for child in head.children:
        if child.dep_ in {"prep", "agent", "dative"} and child.pos_ in {"ADP", "SCONJ", "PART"}:
            inner = [item for item in child.children if item.dep_ in {"pobj", "pcomp"}]
            yield child.lower_, [item for pobj in inner for item in coordinated(pobj)]
            for deeper in child.children:
                if deeper.dep_ == "prep" and child.lower_ == "from":
                    yield deeper.lower_, [item for pobj in deeper.children if pobj.dep_ == "pobj" for item in coordinated(pobj)]
                if deeper.dep_ == "prep":
                    yield (
                        f"{child.lower_} {deeper.lower_}",
                        [item for pobj in deeper.children if pobj.dep_ == "pobj" for item in coordinated(pobj)],
                    )


def clause_span(verb: Token) -> tuple[int, int]:
    """Characters of the predicate with its arguments, without coordinated clauses."""
    apart = {inner.i for child in verb.children if child.dep_ in {"conj", "parataxis"} and child.pos_ in VERBAL for inner in child.subtree}
    apart |= {inner.i for child in verb.children if child.dep_ == "ccomp" and is_parataxis(child) for inner in child.subtree}
    tokens = [token for token in verb.subtree if token.i not in apart and token.dep_ != "cc"]
    subject = [token for token in subjects_of(verb) if token.i < verb.i and token.dep_ in SUBJECTS]
    start = min([token.idx for token in tokens] + [token.left_edge.idx for token in subject if token.head.i == verb.i])
    return start, max(token.idx + len(token) for token in tokens if token.dep_ != "punct")


def is_parataxis(verb: Token) -> bool:
    """Whether spaCy's clausal complement is a main clause of its own, set beside the other by a comma or semicolon."""
    head = verb.head
    if verb.dep_ != "ccomp" or verb.i > head.i or any(child.dep_ == "mark" for child in verb.children):
        return False
    return any(child.dep_ in SUBJECTS and child.i > verb.i for child in head.children) and head.lemma_ not in {
        *REPORTING,
        *CLAIMING,
        *BELIEVING,
    }
