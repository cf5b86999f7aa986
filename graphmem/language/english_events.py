"""What happened or will happen, from English clauses that carry a time."""

from __future__ import annotations

from typing import Any

from graphmem.language.english import Clause, Sentence, phrase, prepositions
from graphmem.language.english_names import is_person, names, proper_name
from graphmem.language.english_words import APPOINTMENTS
from graphmem.language.scene import Held, Scene, Timed

Token = Any


def read_events(sentence: Sentence, scene: Scene, told: set[int]) -> None:
    for clause in sentence.clauses:
        if clause.verb.i in told or clause.stance not in {"asserted", "reported", "begun", "intended"}:
            continue
        times = scene.times(*clause.span)
        if not times:
            continue
        chosen = next((time for time in times if time.interval.start is not None), None)
        if chosen is None:
            continue
        if _scheduled(clause) or _happened(clause):
            _event(clause, chosen, scene)


def _scheduled(clause: Clause) -> bool:
    """ "The standup is at 2 pm tomorrow", "I have a dentist appointment on Friday", "the concert takes place in May"."""
    subjects = [token for token in clause.subjects if token.lemma_.lower() in APPOINTMENTS or _hyphenated(token)]
    if clause.lemma in {"be", "start", "begin", "take", "happen", "move", "reschedule", "schedule", "plan", "set", "end", "occur", "fall"} and subjects:
        return True
    objects = [child for child in clause.children("dobj") if child.lemma_.lower() in APPOINTMENTS or _hyphenated(child)]
    return clause.lemma in {"have", "get", "attend", "host", "schedule", "meet", "see", "join"} and bool(objects)


def _hyphenated(token: Token) -> bool:
    return any(word in APPOINTMENTS for word in phrase(token).lower().replace(" - ", "-").split())


def _happened(clause: Clause) -> bool:
    if clause.tense not in {"past"} or clause.lemma in {"be", "have", "say", "tell", "think", "know", "want", "need", "feel", "seem", "look", "mean", "hear", "use"}:
        return False
    first = next(iter(clause.subjects), None)
    return first is not None and (is_person(first) or first.pos_ in {"NOUN", "PROPN"}) and first.lower_ not in {"it", "that", "this", "which", "who"}


def _event(clause: Clause, time: Timed, scene: Scene) -> None:
    people = [name for subject in clause.subjects if is_person(subject) for name in names(subject, scene)]
    for head in (clause.verb, *clause.children("dobj", "attr")):
        people += [name for prep, values in prepositions(head) if prep in {"with", "and"} for value in values for name in names(value, scene) if is_person(value)]
    place = next((proper_name(value) for head in (clause.verb, *clause.children("dobj")) for prep, values in prepositions(head) if prep in {"in", "at"} for value in values if proper_name(value) and value.ent_type_ not in {"DATE", "TIME"}), None)
    event_type = next((phrase(token) for token in (*clause.subjects, *clause.children("dobj")) if token.lemma_.lower() in APPOINTMENTS), clause.verb.lemma_)
    slots = {"time": time.interval, "participants": tuple(dict.fromkeys(people)) or None, "location": place, "event_type": event_type}
    scene.learn("Event", slots, clause.span, Held(confidence=0.75))
