"""What happened or will happen, from English clauses that carry a time."""

from __future__ import annotations

from typing import Any

from graphmem.language.english import Clause, Sentence
from graphmem.language.english_names import is_person, names, proper_name
from graphmem.language.english_phrases import coordinated, phrase, prepositions
from graphmem.language.english_words import APPOINTMENTS, CHANGES
from graphmem.language.scene import Held, Scene, Timed
from graphmem.language.values import ahead, moved_time

Token = Any


def read_events(sentence: Sentence, scene: Scene, told: set[int]) -> None:
    for clause in sentence.clauses:
        if _moved(clause, scene):
            continue
        if (
            clause.verb.dep_ == "acl"
            or (
                clause.verb.dep_ == "ccomp"
                and clause.tense == "present"
                and clause.verb.tag_ == "VBG"
                and clause.verb.head.lemma_ == "have"
            )
            or any(inner.i in told for inner in clause.verb.subtree if inner.dep_ in {"xcomp", "ROOT"} or inner.i == clause.verb.i)
            or clause.stance not in {"asserted", "reported", "begun", "intended"}
        ):
            continue
        times = scene.times(*clause.span)
        if not times:
            continue
        chosen = next((time for time in times if time.interval.start is not None and time.interval.precision != "decade"), None)
        if chosen is None:
            continue
        if _scheduled(clause) or _happened(clause) or _coming(clause, chosen, scene):
            _event(clause, chosen, scene)


def _moved(clause: Clause, scene: Scene) -> bool:
    """Read "the meeting is moved to 3 pm": news of an event that is known already."""
    if clause.verb.lemma_ not in {"move", "reschedule", "postpone", "shift", "push", "bring", "change"} or clause.stance not in {
        "asserted",
        "reported",
    }:
        return False
    what = next(
        (
            token
            for token in (*(clause.subjects if clause.passive else ()), *clause.children("dobj"), *clause.subjects)
            if token.lemma_.lower() in APPOINTMENTS
        ),
        None,
    )
    when = moved_time(scene, *clause.span)
    if what is None or when is None:
        return False
    scene.learn("Event", {"time": when}, clause.span, Held(confidence=0.8), hint=phrase(what), update=True)
    return True


def _scheduled(clause: Clause) -> bool:
    """Read "The standup is at 2 pm tomorrow", "I have a dentist appointment on Friday", "the concert takes place in May"."""
    subjects = [token for token in clause.subjects if token.lemma_.lower() in APPOINTMENTS or _hyphenated(token)]
    if (
        clause.lemma
        in {
            "be",
            "start",
            "begin",
            "take",
            "happen",
            "move",
            "reschedule",
            "schedule",
            "plan",
            "set",
            "leave",
            "depart",
            "arrive",
            "land",
            "end",
            "occur",
            "fall",
        }
        and subjects
    ):
        return True
    objects = [child for child in clause.children("dobj") if child.lemma_.lower() in APPOINTMENTS or _hyphenated(child)]
    return clause.lemma in {"have", "get", "attend", "host", "schedule", "meet", "see", "join"} and bool(objects)


def _hyphenated(token: Token) -> bool:
    return any(word in APPOINTMENTS for word in phrase(token).lower().replace(" - ", "-").split())


def _happened(clause: Clause) -> bool:
    if clause.tense != "past" or clause.lemma in {
        "be",
        "have",
        "say",
        "tell",
        "think",
        "know",
        "want",
        "need",
        "feel",
        "seem",
        "look",
        "mean",
        "hear",
        "use",
    }:
        return False
    first = next(iter(clause.subjects), None)
    if (
        first is not None
        and clause.lemma.split()[0] in CHANGES
        and first.lemma_ in {"deadline", "price", "budget", "rent", "version", "cost", "status", "date"}
    ):
        return False
    if any(child.lower_ in {"it", "that", "this", "them", "something"} for child in clause.children("dobj")):
        return False
    return (
        first is not None
        and (is_person(first) or first.pos_ in {"NOUN", "PROPN"})
        and first.lower_ not in {"it", "that", "this", "which", "who"}
    )


def _coming(clause: Clause, time: Timed, scene: Scene) -> bool:
    """A present tense that speaks of a time to come: "my parents are visiting us next weekend"."""
    first = next(iter(clause.subjects), None)
    later = time.interval.start is not None and time.interval.start > scene.turn.said_at
    return (
        later
        and clause.stance == "asserted"
        and clause.tense == "present"
        and clause.verb.tag_ == "VBG"
        and first is not None
        and (is_person(first) or first.pos_ in {"NOUN", "PROPN"})
    )


def _event(clause: Clause, time: Timed, scene: Scene) -> None:
    first = next(iter(clause.subjects), None)
    people = [name for subject in clause.subjects if is_person(subject) for name in names(subject, scene)]
    if first is not None and first.pos_ == "PRON" and not people:
        return
    met = [
        item
        for child in clause.children("dobj")
        if clause.lemma in {"meet", "see", "visit", "call", "join", "marry", "interview"}
        for item in coordinated(child)
    ]
    met += [
        value
        for inner in clause.verb.subtree
        if inner.lower_ == "with"
        for child in inner.children
        if child.dep_ == "pobj"
        for value in coordinated(child)
    ]
    people += [name for value in met if is_person(value) for name in names(value, scene)]
    place = next(
        (
            proper_name(value)
            for head in (clause.verb, *clause.children("dobj"))
            for prep, values in prepositions(head)
            if prep in {"in", "at"}
            for value in values
            if proper_name(value) and value.ent_type_ not in {"DATE", "TIME"}
        ),
        None,
    )
    event_type = next(
        (phrase(token) for token in (*clause.subjects, *clause.children("dobj")) if token.lemma_.lower() in APPOINTMENTS),
        clause.verb.lemma_,
    )
    when = ahead(time, scene) if clause.tense in {"present", "future"} else time.interval
    slots = {"time": when, "participants": tuple(dict.fromkeys(people)) or None, "location": place, "event_type": event_type}
    scene.learn("Event", slots, clause.span, Held(confidence=0.75))
