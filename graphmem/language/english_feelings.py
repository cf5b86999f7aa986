"""What English clauses say of taste, feeling and things noticed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from graphmem.language.english import Clause, Sentence
from graphmem.language.english_names import is_person, name_of, names
from graphmem.language.english_phrases import coordinated, phrase, prepositions
from graphmem.language.english_stance import auxiliaries
from graphmem.language.english_words import EMOTION_NOUNS, EMOTIONS, INTENSIFIERS, LIKING, MOVING_VERBS, NOTICING, UNTASTED
from graphmem.language.lexicon import Lexicon, stem
from graphmem.language.scene import Held, Scene

Token = Any
_HELPERS = frozenset({"loves", "likes", "enjoys", "hates", "dislikes", "prefers"})
"""Verbs that the parser at times takes for auxiliaries of the gerund behind them."""
_TASTE = frozenset({"asserted", "negated", "ended"})


def read_feelings(sentence: Sentence, scene: Scene, lexicon: Lexicon) -> set[int]:
    told: set[int] = set()
    for clause in sentence.clauses:
        count = len(scene.drafts)
        if clause.stance in _TASTE or (
            clause.stance == "modal"
            and (clause.lemma in {"stand", "bear"} or any(child.lower_ == "rather" for child in clause.verb.children))
        ):
            _preference(clause, scene, lexicon)
        if clause.stance == "asserted":
            if len(scene.drafts) == count:
                _emotion(clause, scene)
            _observation(clause, scene)
        if len(scene.drafts) > count:
            told.add(clause.verb.i)
    return told


# ── taste ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _preference(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    found = _taste(clause, lexicon)
    if found is None or clause.tense in {"past", "future", "base"} or (clause.verb.tag_ == "VBG" and clause.lemma in LIKING):
        return
    polarity, strength, tokens = found
    auxes = {aux.lower_ for aux in auxiliaries(clause.verb)}
    if clause.stance != "modal" and auxes & {"would", "'d", "will", "could", "might"}:
        return
    for subject in clause.subjects:
        if not is_person(subject):
            continue
        for holder in names(subject, scene):
            for what in _tasted(tokens, scene):
                slots = {"subject": holder, "object": what, "polarity": polarity, "strength": strength}
                act = "end" if clause.stance == "ended" else "state"
                if act == "end":
                    slots["polarity"] = polarity = "dislike" if polarity == "like" else "like"
                scene.learn("Preference", slots, clause.span, Held(confidence=0.85))


def _taste(clause: Clause, lexicon: Lexicon) -> tuple[str, float, list[Token]] | None:
    """(polarity, strength, what is liked) of a clause."""
    lemma, negated = clause.lemma, clause.stance == "negated"
    helper = next((child.lower_ for child in clause.verb.children if child.dep_ == "aux" and child.lower_ in _HELPERS), None)
    if helper and clause.verb.tag_ == "VBG":
        return ("dislike" if helper in {"hates", "dislikes"} else "like"), 0.8, [clause.verb]
    if any(child.lower_ == "rather" for child in clause.verb.children) and clause.stance == "modal":
        return (
            "like",
            0.7,
            [item for child in clause.children("dobj") for item in _items(child)]
            if lemma in {"have", "get", "take", "drink", "eat"}
            else [clause.verb],
        )
    objects = [item for child in clause.children("dobj", "xcomp", "ccomp") for item in _items(child) if child.i > clause.verb.i]
    if lemma in {"stand", "bear", "tolerate"}:
        return ("dislike", 0.9, objects) if negated else None
    if lemma == "be":
        return _copular_taste(clause, negated)
    if lemma == "prefer":
        return (("dislike" if negated else "like"), 0.7, objects)
    found = LIKING.get(lemma) or next(
        (
            (sense.relation.removesuffix("s"), 0.7)
            for sense in lexicon.frames.get((stem(lemma), ""), ())
            if sense.relation in {"likes", "dislikes"}
        ),
        None,
    )
    if found is None:
        return None
    polarity, strength = found
    if negated:
        polarity, strength = ("dislike" if polarity == "like" else "neutral"), 0.7
    if polarity == "neutral":
        return None
    return polarity, strength, objects


def _copular_taste(clause: Clause, negated: bool) -> tuple[str, float, list[Token]] | None:
    for middle in clause.children("acomp", "attr", "prep"):
        key = middle.lemma_.lower()
        if key == "fan" or (key in {"fond", "keen", "mad", "crazy", "passionate", "into"} and middle.i > clause.verb.i):
            wanted = {"fan": {"of"}, "fond": {"of"}, "keen": {"on"}, "crazy": {"about"}, "mad": {"about"}, "passionate": {"about"}}.get(key)
            if wanted is None:
                tokens = [item for pobj in middle.children if pobj.dep_ in {"pobj", "pcomp"} for item in coordinated(pobj)]
            else:
                tokens = [item for prep, values in prepositions(middle) for item in values if prep in wanted]
            return (("dislike" if negated else "like"), 0.8, tokens)
    return None


def _items(token: Token) -> Iterator[Token]:
    yield token
    for child in token.children:
        if child.dep_ == "conj":
            yield from _items(child)


def _tasted(tokens: list[Token], scene: Scene) -> list[str]:
    found = []
    for token in tokens:
        words = {inner.lower_ for inner in token.subtree}
        if (
            token.pos_ == "PRON"
            or token.lower_ in UNTASTED
            or any(child.dep_ == "poss" and child.lower_ in {"your", "his", "her", "their", "its"} for child in token.children)
        ):
            continue
        if any(child.lower_ in {"that", "this", "these", "those"} and child.dep_ == "det" for child in token.children):
            continue
        if token.pos_ in {"VERB", "AUX"}:
            helped = any(child.dep_ == "aux" and child.lower_ in _HELPERS for child in token.children)
            if (
                (not helped and any(child.dep_ in {"nsubj", "mark", "nsubjpass"} for child in token.children))
                or token.lemma_ in {"see", "hear", "know", "say", "be", "do", "have", "get"}
                or words & {"it", "you", "your", "that", "this"}
            ):
                continue
            if token.tag_ not in {"VB", "VBG"}:
                continue
            found.append(_activity(token))
        elif (name := name_of(token, scene)) and len(name.split()) <= 7:
            found.append(_with_place(token, name))
    return found


def _with_place(token: Token, name: str) -> str:
    after = [
        child
        for child in token.children
        if child.dep_ == "prep" and child.lower_ in {"with", "without", "in", "from", "by", "at", "on"} and child.i > token.i
    ]
    if len(after) != 1 or len(list(after[0].subtree)) > 4 or name not in token.doc.text:
        return name
    start = token.doc.text.find(name, max(0, token.left_edge.idx - 1))
    return str(token.doc.text[start : after[0].right_edge.idx + len(after[0].right_edge)]) if start >= 0 else name


def _activity(verb: Token) -> str:
    """Read "hiking in the mountains" without times, conjunctions and subordinate clauses."""
    apart = {
        inner.i for child in verb.children if child.dep_ in {"conj", "advcl", "npadvmod", "cc", "punct", "mark"} for inner in child.subtree
    }
    kept = [inner for inner in verb.subtree if inner.i >= verb.i and inner.i not in apart]
    return str(verb.doc[verb.i : max(inner.i for inner in kept) + 1].text)


# ── feeling ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _emotion(clause: Clause, scene: Scene) -> None:
    found = _felt(clause)
    if found is None:
        return
    emotion, word, holder = found
    if word.lower_ in {"sorry", "glad", "afraid", "happy"} and _polite(word, clause):
        return
    whose = names(holder, scene) if holder is not None else ()
    if not whose or clause.tense == "future":
        return
    trigger = _trigger(word, clause, scene)
    strong = any(child.lower_ in INTENSIFIERS for child in word.children)
    slots = {
        "emotion": emotion,
        "intensity": 0.9 if strong or word.lower_ in {"terrified", "furious", "thrilled", "devastated", "heartbroken", "ecstatic"} else 0.6,
        "trigger": trigger,
        "subject": whose[0],
    }
    scene.learn("EmotionalState", slots, clause.span, Held(confidence=0.8))


def _polite(word: Token, clause: Clause) -> bool:
    following = clause.verb.doc[word.i + 1].lower_ if word.i + 1 < len(clause.verb.doc) else ""
    words = {inner.lower_ for inner in clause.verb.subtree}
    return (word.lower_ in {"sorry", "afraid"} and following != "of") or (
        word.lower_ in {"glad", "happy"} and bool(words & {"you", "your", "help", "hear"})
    )


def _felt(clause: Clause) -> tuple[str, Token, Token | None] | None:
    """(emotion, the word for it, who feels it)."""
    verb = clause.verb
    subject = next(iter(clause.subjects), None)
    if clause.lemma in {"be", "feel", "get", "become", "seem", "grow"}:
        for middle in clause.children("acomp", "attr", "oprd", "xcomp", "prep"):
            for item in coordinated(middle):
                if item.lemma_.lower() in EMOTIONS or item.lower_ in EMOTIONS:
                    return (
                        (EMOTIONS.get(item.lower_) or EMOTIONS[item.lemma_.lower()], item, subject)
                        if subject is not None and is_person(subject)
                        else None
                    )
    if clause.passive and verb.lower_ in EMOTIONS:
        return (EMOTIONS[verb.lower_], verb, subject) if subject is not None and is_person(subject) else None
    if clause.lemma in {
        "make",
        "scare",
        "frighten",
        "annoy",
        "upset",
        "terrify",
        "disgust",
        "worry",
        "anger",
        "sadden",
        "excite",
        "thrill",
        "depress",
        "infuriate",
        "frustrate",
        "shock",
        "surprise",
        "delight",
    }:
        return _caused(clause)
    if (
        clause.lemma in MOVING_VERBS
        and subject is not None
        and is_person(subject)
        and (clause.tense == "present" or any(True for prep, _ in prepositions(verb) if prep in {"about", "over"}))
    ):
        return MOVING_VERBS[clause.lemma], verb, subject
    return None


def _caused(clause: Clause) -> tuple[str, Token, Token | None] | None:
    verb = clause.verb
    if clause.lemma == "make":
        for child in verb.children:
            if child.dep_ in {"ccomp", "oprd", "xcomp", "acomp"} and (child.lower_ in EMOTIONS or child.lemma_.lower() in EMOTIONS):
                holder = next(
                    (inner for inner in (*child.children, *verb.children) if inner.dep_ in {"nsubj", "dobj"} and inner.i > verb.i), None
                )
                return (
                    (EMOTIONS.get(child.lower_) or EMOTIONS[child.lemma_.lower()], child, holder)
                    if holder is not None and is_person(holder)
                    else None
                )
        return None
    holder = next((child for child in clause.children("dobj") if is_person(child)), None)
    return (EMOTION_NOUNS[clause.lemma], verb, holder) if holder is not None and clause.lemma in EMOTION_NOUNS else None


def _trigger(word: Token, clause: Clause, scene: Scene) -> str | None:
    """What the feeling is about: behind of/about/at/that/because, the subject of "makes me …", else the clause before."""
    if (
        clause.lemma
        in {
            "make",
            "scare",
            "frighten",
            "annoy",
            "upset",
            "terrify",
            "disgust",
            "worry",
            "anger",
            "sadden",
            "excite",
            "shock",
            "surprise",
            "delight",
            "frustrate",
            "infuriate",
        }
        and clause.subjects
        and not clause.passive
    ):
        subject = clause.subjects[0]
        if subject.pos_ != "PRON":
            return scene.text[subject.left_edge.idx : clause.verb.idx].strip()
    for head in (word, clause.verb):
        for child in head.children:
            if child.i > word.i and (
                (child.dep_ in {"prep", "agent"} and child.lower_ in {"of", "about", "at", "by", "with", "for", "over", "because", "to"})
                or (child.dep_ in {"ccomp", "advcl", "xcomp"})
            ):
                text = scene.text[child.left_edge.idx : child.right_edge.idx + len(child.right_edge)]
                return re.sub(r"^(?:of|about|at|by|with|for|over|because of|because|that|to|since)\s+", "", text, flags=re.IGNORECASE)
    before = scene.text[: clause.span[0]].strip(" ,;.!")
    last = re.split(r"[.!?;]\s+", before)[-1] if before else ""
    return None if not last or re.match(r"(?:thanks|thank you|wow|yeah|yes|no|hey|hi|oh|sure|absolutely)\b", last, re.IGNORECASE) else last


# ── noticing ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _observation(clause: Clause, scene: Scene) -> None:
    if clause.lemma not in NOTICING or not clause.subjects or clause.subjects[0].lower_ not in {"i", "we"}:
        return
    said = clause.children("ccomp") + (
        [child for child in clause.children("dobj") if any(inner.dep_ in {"acl", "relcl"} for inner in child.children)]
        if clause.lemma in {"notice", "observe", "spot"}
        else []
    )
    said += clause.children("dobj") if clause.lemma in {"notice", "observe"} else []
    if not said or (clause.lemma in {"see", "find"} and said[0].pos_ not in {"VERB", "AUX"}):
        return
    about = next(
        (phrase(child) for child in said[0].children if child.dep_ in {"nsubj", "nsubjpass"} and child.pos_ in {"NOUN", "PROPN"}), None
    )
    about = about or (phrase(said[0]) if said[0].pos_ in {"NOUN", "PROPN"} else None)
    scene.learn("Observation", {"about": about, "observer": scene.speaker}, clause.span, Held(confidence=0.75))
