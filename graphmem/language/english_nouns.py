"""Triples from English nouns: attributes ("the price of X is Y"), kinship ("my sister Anna"), names, ages, occupations, favourites."""

from __future__ import annotations

import re
from typing import Any

from graphmem.language.english import Clause, Sentence
from graphmem.language.english_facts import ASSERTED, holding
from graphmem.language.english_grammar import DATED, FILLER_IS_SUBJECT, GRAMMAR, NOUNS
from graphmem.language.english_kin import called, having, is_relative, joint, kin_named, relatives
from graphmem.language.english_names import has_name, is_kin, is_person, name_of, names, proper_name
from graphmem.language.english_phrases import coordinated, phrase, prepositions
from graphmem.language.english_words import CHANGES, OCCUPATIONS, PETS
from graphmem.language.lexicon import Lexicon, Sense, stem
from graphmem.language.scene import Held, Scene
from graphmem.language.values import value_in
from graphmem.temporal import Interval

Token = Any
_FAVOURITE = frozenset({"favorite", "favourite", "fave"})
_VERBAL = frozenset(GRAMMAR) - frozenset(NOUNS)


def read_nouns(sentence: Sentence, scene: Scene, lexicon: Lexicon) -> set[int]:
    """Learn what nouns say; returns the verbs that stated something."""
    told: set[int] = set()
    for clause in sentence.clauses:
        if clause.stance not in ASSERTED:
            continue
        count = len(scene.drafts)
        _attributes(clause, scene, lexicon)
        _copular(clause, scene, lexicon)
        having(clause, scene, lexicon)
        called(clause, scene)
        joint(clause, scene, lexicon)
        if len(scene.drafts) > count:
            told.add(clause.verb.i)
    if not sentence.question:
        relatives(sentence, scene)
    return told


# ── the NOUN of X is Y ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _attributes(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    for subject in clause.children("nsubj", "nsubjpass"):
        found = attribute(subject, lexicon)
        if found is None:
            continue
        sense, owner = found
        value = _stated(clause, sense, scene, lexicon)
        if sense.relation == "name" and owner is not None and (is_kin(owner) or owner.lemma_.lower() in PETS):
            kin_named(owner, clause, scene)
            continue
        whose = _owner_names(owner, subject, sense, scene)
        for name in whose:
            for what in value:
                held = _attribute_held(clause, sense, scene)
                if held is None:
                    continue
                pair = (what, name) if sense.relation in FILLER_IS_SUBJECT else (name, what)
                scene.fact(pair[0], sense.relation, pair[1], clause.span, held)


def _attribute_held(clause: Clause, sense: Sense, scene: Scene) -> Held | None:
    if sense.relation in DATED:
        return Held(confidence=0.85, reported_by=clause.source)
    changed = clause.verb.lemma_ in CHANGES
    held = holding(clause, Sense(sense.relation, "+" if changed else "="), scene)
    if held and not changed and clause.tense == "past" and held.act == "state":
        return Held(act="end", until=held.until or Interval(scene.turn.said_at), confidence=held.confidence)
    return held


def attribute(token: Token, lexicon: Lexicon) -> tuple[Sense, Token | None] | None:
    """The relation that a noun names with the owner it speaks of: "the price of the pass", "Dana's email", "the kitchen budget"."""
    inside = [child for child in token.children if child.dep_ in {"compound", "amod"} and child.i < token.i]
    for count in range(len(inside), -1, -1):
        words = [*inside[len(inside) - count :], token]
        sense = lexicon.nouns.get(" ".join(stem(word.lemma_) for word in words))
        if (
            sense is None
            or not _is_attribute(sense, lexicon)
            or (token.text[:1].isupper() and not token.is_sent_start)
            or is_kin(token)
            or token.lemma_.lower() in PETS
        ):
            continue
        owner = next((child for child in token.children if child.dep_ == "poss"), None)
        owner = owner or next((pobj for prep, found in prepositions(token) for pobj in found if prep in {"of", "for", "on"}), None)
        if owner is None and len(inside) > count:
            owner = inside[len(inside) - count - 1]
        return sense, owner
    return None


_ATTRIBUTES = frozenset(NOUNS) | FILLER_IS_SUBJECT


def _is_attribute(sense: Sense, lexicon: Lexicon) -> bool:
    """Whether "the NOUN of X is Y" can speak of the relation: those of the core that are nouns, and any whose object is no thing or person."""
    return sense.relation in _ATTRIBUTES or (sense.relation not in _VERBAL and lexicon.kinds.get(sense.relation) != "thing")


def _owner_names(owner: Token | None, subject: Token, sense: Sense, scene: Scene) -> tuple[str, ...]:
    if owner is None:
        if sense.relation == "budget":
            return (scene.topic or scene.speaker,)
        return (subject.lower_,) if sense.relation == "price" and subject.lemma_ in {"rent", "fare", "fee"} else ()
    if owner.dep_ in {"compound", "amod"}:
        first = min([owner, *(child for child in owner.children if child.dep_ in {"compound", "amod"})], key=lambda t: t.i)
        others = [child for child in subject.children if child.dep_ in {"compound", "amod"} and child.i < owner.i]
        start = min([first, *others], key=lambda t: t.i)
        return (str(owner.doc[start.i : owner.i + 1].text),)
    numbered = owner.nbor(1) if owner.i + 1 < len(owner.doc) else None
    if numbered is not None and (
        numbered.like_num or (any(c.isdigit() for c in numbered.text) and numbered.is_alpha is False and "." not in numbered.text)
    ):
        return (f"{phrase(owner)} {numbered.text}",)
    found = names(owner, scene)
    if sense.relation in {"budget", "price"} and found == (scene.speaker,) and subject.dep_ in {"nsubj", "nsubjpass"}:
        for_what = next((pobj for prep, values in prepositions(subject) for pobj in values if prep in {"for", "on"}), None)
        return names(for_what, scene) if for_what is not None else found
    return found


def _stated(clause: Clause, sense: Sense, scene: Scene, lexicon: Lexicon) -> list[str]:
    """The value that a clause gives to an attribute: after "is", or after "to" where the verb is one of change."""
    verb = clause.verb
    end = clause.span[1]
    text = scene.text
    if sense.relation == "status" and clause.passive:
        return value_in("status", "status", text[verb.idx : end], scene, verb.idx)
    if verb.lemma_ == "be" or clause.lemma in {"remain", "stay"}:
        after = text[verb.idx + len(verb) : end]
        named = [item for middle in clause.children("attr", "acomp", "oprd") for item in coordinated(middle)]
        return value_in(sense.relation, lexicon.kinds.get(sense.relation, "text"), after, scene, verb.idx + len(verb)) or _named(
            sense, named, scene, lexicon
        )
    if verb.lemma_ in CHANGES or clause.lemma.split()[0] in CHANGES:
        to = re.search(r"\b(?:to|at|until)\s+(?!\d+ percent)", text[verb.idx : end])
        if to is None:
            return []
        after = text[verb.idx + to.end() : end]
        found = value_in(sense.relation, lexicon.kinds.get(sense.relation, "text"), after, scene, verb.idx + to.end())
        return found[:1]
    return []


def _named(sense: Sense, values: list[Token], scene: Scene, lexicon: Lexicon) -> list[str]:
    kind = lexicon.kinds.get(sense.relation, "text")
    if kind in {"quantity", "date", "version"} or sense.relation in {"phone", "email"}:
        return []
    if sense.relation in {"name", "nickname"}:
        return [proper_name(token) or token.text for token in values if token.pos_ == "PROPN" or token.text[:1].isupper()]
    if sense.relation not in _ATTRIBUTES:
        values = [token for token in values if token.pos_ in {"NOUN", "PROPN", "X"}]
    kept = [
        token
        for token in values
        if token.pos_ in {"NOUN", "PROPN", "ADJ", "X", "VERB"} and (kind == "text" or has_name(token) or kind in {"thing", "status"})
    ]
    return [name for token in kept if (name := name_of(token, scene)) and len(name.split()) <= 6]


# ── X is a NOUN, X is 42, X is Y's brother ──────────────────────────────────────────────────────────────────────────────────────────

_AGE = re.compile(
    r"^\s*(?:now |already |just |almost )?(\d{1,3}|[a-z]+(?:[- ][a-z]+)?)(?:[- ]years?(?:[- ]old)?| years? of age| yo)?(?= |[,.;!]|$)",
    re.IGNORECASE,
)
_AGED = re.compile(r"\b(\d{1,3})[- ]years?[- ]old\b|\baged (\d{1,3})\b", re.IGNORECASE)


def _copular(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    if clause.lemma not in {"be", "turn", "become"}:
        return
    _age(clause, scene, lexicon)
    for subject in clause.subjects:
        for value in [item for middle in clause.children("attr", "acomp") for item in coordinated(middle)]:
            _favourite(subject, value, clause, scene)
            _introduced(subject, value, clause, scene)
            if value.pos_ in {"NOUN", "PROPN"}:
                is_relative(subject, value, clause, scene)
                _occupation(subject, value, clause, scene, lexicon)
                _is_noun_of(subject, value, clause, scene, lexicon)


def _age(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    if (clause.tense == "past" and clause.lemma != "turn") or not lexicon.knows("age"):
        return
    after = scene.text[clause.verb.idx + len(clause.verb) : clause.span[1]]
    found = _AGE.match(after)
    numbers = value_in("age", "quantity", found[1], scene, 0) if found else []
    follows = after[found.end() :].lower() if found else ""
    if not numbers or re.match(
        r"\s*(?:%|percent|o'clock|am|pm|minutes?|hours?|days?|weeks?|months?|of |euros?|dollars?|people|[:/.]\d)", follows
    ):
        return
    if clause.children("expl") or (found is not None and found[1].lower() in {"one", "a"} and "year" not in found[0].lower()):
        return
    explicit = re.search(r"year", found[0] if found else "", re.IGNORECASE)
    for subject in clause.subjects:
        if is_person(subject) or subject.lemma_.lower() in PETS or (explicit and subject.pos_ == "PROPN"):
            for name in names(subject, scene):
                scene.fact(name, "age", numbers[0], clause.span, Held(confidence=0.85))


def _favourite(subject: Token, value: Token, clause: Clause, scene: Scene) -> None:
    pairs = ((subject, value), (value, subject))
    for noun, other in pairs:
        marks = [child for child in noun.children if child.lower_ in _FAVOURITE] + ([noun] if noun.lower_ in _FAVOURITE else [])
        if not marks or any(child.lower_ in _FAVOURITE for child in other.children):
            continue
        owner = next((name for child in noun.children if child.dep_ == "poss" for name in names(child, scene)), None)
        of = None if noun.lower_ in _FAVOURITE else re.sub(r"^(?:all[- ]time )?(?:favou?rite|fave) ", "", phrase(noun), flags=re.IGNORECASE)
        of = re.sub(r"^.*\b(?:favou?rite|fave) |^(?:kind|type|sort|piece) of ", "", of) if of else None
        if owner and other.pos_ not in {"PRON", "VERB", "ADV"} and (what := name_of(other, scene)):
            scene.fact(owner, "favorite", what, clause.span, Held(confidence=0.9), of=of)
        return


def _introduced(subject: Token, value: Token, clause: Clause, scene: Scene) -> None:
    if clause.lemma != "be" or value.pos_ != "PROPN" or clause.tense == "past":
        return
    name = proper_name(value)
    if subject.lower_ == "i" and name and value.ent_type_ in {"PERSON", ""} and scene.speaker.lower() in {"user", "用户", "i"}:
        scene.fact(scene.speaker, "name", name, clause.span)
    if name:
        scene.meet(name)


def _occupation(subject: Token, value: Token, clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    if not is_person(subject) or value.lemma_.lower() not in OCCUPATIONS or not lexicon.knows("job_title"):
        return
    articles = {child.lower_ for child in value.children if child.dep_ == "det"}
    where = next((pobj for prep, found in prepositions(value) for pobj in found if prep in {"at", "for", "with"}), None)
    if (
        not articles & {"a", "an", "the"}
        and not any(prep == "of" for prep, _ in prepositions(value))
        and where is None
        and clause.lemma != "become"
    ):
        return
    held = holding(clause, Sense("job_title", "+" if clause.lemma == "become" else "="), scene)
    good = not any(
        child.lower_
        in {"good", "great", "big", "bad", "terrible", "awesome", "amazing", "real", "true", "natural", "wonderful", "fantastic", "such"}
        for child in value.children
    )
    for name in names(subject, scene) if held and good else ():
        scene.fact(name, "job_title", phrase(value), clause.span, held or Held())
        if where is not None and (has_name(where)) and lexicon.knows("works_at"):
            for place in names(where, scene):
                scene.fact(name, "works_at", place, clause.span, held or Held())


def _is_noun_of(subject: Token, value: Token, clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    """Read "Y is the capital of X", "Anna is Tom's mentor": the noun alone gives the relation."""
    if is_kin(value) or value.lemma_.lower() in PETS or clause.lemma != "be":
        return
    owner = next((child for child in value.children if child.dep_ == "poss"), None)
    sense = lexicon.nouns.get(stem(value.lemma_))
    if owner is None or sense is None or lexicon.kinds.get(sense.relation) not in {"person", "entity", "place", "organization"}:
        return
    held = holding(clause, sense, scene)
    for who in names(subject, scene) if held and proper_name(subject) else ():
        for whose in names(owner, scene):
            pair = (who, whose) if sense.relation in FILLER_IS_SUBJECT or (stem(value.lemma_), "of") in lexicon.frames else (whose, who)
            scene.fact(pair[0], sense.relation, pair[1], clause.span, held or Held())
