"""Triples whose object is an amount, a date, a version or a contact, from verbs that carry it: costs, is due, was born, upgraded to, call me at."""

from __future__ import annotations

import re
from typing import Any

from graphmem.language.english import Clause, Sentence
from graphmem.language.english_facts import ASSERTED
from graphmem.language.english_names import has_name, is_person, name_of, names
from graphmem.language.english_phrases import phrase, prepositions
from graphmem.language.lexicon import Lexicon, stem
from graphmem.language.scene import Held, Scene, Timed
from graphmem.language.values import EMAIL, PHONE, STATUSES, VERSION, amounts, day_of

Token = Any
_COSTING = frozenset({"cost", "price", "charge", "sell", "go", "retail"})
_DUE = re.compile(r"\b(?:is|are|was|'s) (?:now )?due\b|\b(?:due by|due on|due date is)\b|\bcloses? on\b|\bexpires? on\b", re.IGNORECASE)
_REACH = re.compile(
    r"\b(?:reach|contact|call|text|email|e-mail|phone|ring|write to|message) (?P<who>me|us|him|her|them|[A-Z]\w+)(?: (?:any ?time|directly|by \w+))? (?:at|on|under|via) (?P<what>\S[^,;!?]*)",
    re.IGNORECASE,
)
_INSTALLED = re.compile(
    r"\b(?P<name>[A-Z][\w+#-]*(?: [A-Z][\w+#-]*)?|[a-z][\w-]+) (?:version |v)?(?P<version>\d+(?:\.\d+){1,3})(?![\w%.]*(?:am|pm))", re.ASCII
)
_MOVING = frozenset({"upgrade", "update", "bump", "move", "downgrade", "migrate", "pin", "roll"})
_RUNNING = frozenset({"run", "use", "be", "install", "deploy", "release", "ship", "have", "require", "support"})


def read_amounts(sentence: Sentence, scene: Scene, lexicon: Lexicon) -> set[int]:
    """Learn what the sentence's verbs say in numbers; returns the verbs that stated something."""
    told: set[int] = set()
    for clause in sentence.clauses:
        if clause.stance not in ASSERTED | {"modal", "imperative"}:
            continue
        count = len(scene.drafts)
        _reached(clause, scene, lexicon)
        if clause.stance in ASSERTED:
            _born(clause, scene, lexicon)
            _due(clause, scene, lexicon)
            _costs(clause, scene, lexicon)
            _version(clause, scene, lexicon)
            _standing(clause, scene, lexicon)
        if len(scene.drafts) > count:
            told.add(clause.verb.i)
    return told


def _text(clause: Clause, scene: Scene) -> str:
    return scene.text[clause.span[0] : clause.span[1]]


def _owners(clause: Clause, scene: Scene) -> list[str]:
    return [name for subject in clause.subjects for name in names(subject, scene)]


def _day(clause: Clause, scene: Scene) -> Timed | None:
    return next((time for time in scene.times(*clause.span) if day_of(time.interval)), None)


def _born(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    if clause.lemma != "bear" or not clause.passive:
        return
    when = _day(clause, scene)
    for who in _owners(clause, scene):
        if when and when.interval.start and when.interval.start <= scene.turn.said_at and lexicon.knows("born_on"):
            scene.fact(who, "born_on", day_of(when.interval) or "", clause.span, Held(confidence=0.9))
        for preposition, values in prepositions(clause.verb):
            for value in values:
                if preposition == "in" and has_name(value) and value.ent_type_ not in {"DATE", "TIME"} and lexicon.knows("born_in"):
                    scene.fact(who, "born_in", phrase(value), clause.span, Held(confidence=0.85))


def _due(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    if not _DUE.search(_text(clause, scene)) or not lexicon.knows("deadline"):
        return
    when = _day(clause, scene)
    for what in clause.subjects if when else ():
        name = name_of(what, scene) if what.pos_ != "PRON" and not is_person(what) else None
        if name and when:
            scene.fact(name, "deadline", day_of(when.interval) or "", clause.span, Held(confidence=0.85, reported_by=clause.source))


def _costs(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    if (
        clause.lemma not in _COSTING
        or not lexicon.knows("price")
        or (clause.lemma in {"go", "sell"} and not re.search(r"\b(?:goes|went|go|sells?|sold) for\b", _text(clause, scene)))
    ):
        return
    if re.search(r"\b(?:less|more|at least|at most|under|over|about to)\b", _text(clause, scene)):
        return
    found = [amount for amount in amounts(_text(clause, scene)) if not amount.isdigit() or clause.lemma in {"cost", "price"}]
    for what in clause.subjects:
        name = name_of(what, scene) if what.pos_ != "PRON" else next(iter(names(what, scene)), None)
        if name and not is_person(what) and found and what.lower_ not in {"it", "that", "this"}:
            scene.fact(
                name,
                "price",
                found[-1] if clause.lemma == "charge" else found[0],
                clause.span,
                Held(
                    act="end" if clause.tense == "past" and clause.lemma == "cost" and "used to" in _text(clause, scene) else "state",
                    confidence=0.85,
                ),
            )


def _version(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    if not lexicon.knows("version"):
        return
    if clause.lemma.split()[0] in _MOVING and clause.tense in {"past", "perfect"}:
        what = next((child for child in clause.children("dobj")), None) or (
            next(iter(clause.subjects), None) if clause.passive or not clause.children("dobj") else None
        )
        to = re.search(r"\bto (?:version )?v?(?=\d)", _text(clause, scene))
        found = VERSION.findall(_text(clause, scene)[to.end() :]) if to else []
        if what is not None and (
            attribute_noun(what, lexicon)
            or any(time.start <= clause.span[0] + to.end() < time.end for time in scene.times(*clause.span) if to)
        ):
            return
        name = name_of(what, scene) if what is not None and what.pos_ in {"NOUN", "PROPN"} else None
        if (
            name
            and found
            and not re.match(r"\d+\s*(?:euros|dollars|pounds|people|gb|pm|am|%)", _text(clause, scene)[to.end() :] if to else "")
        ):
            since = next((time.interval for time in scene.times(*clause.span)), None)
            scene.fact(
                re.sub(r"\s*\bfrom .*|\s+v?\d[\d.]*$", "", name), "version", found[0], clause.span, Held(since=since, confidence=0.85)
            )
        return
    if clause.lemma in _RUNNING and clause.tense in {"present", "perfect"}:
        on = re.match(
            r".*?\b(?:is|are|'s) (?:now |currently |still )?(?:on|at|running) (?:version )?v?(\d+(?:\.\d+)+)", _text(clause, scene)
        )
        if on and clause.subjects and clause.subjects[0].pos_ in {"NOUN", "PROPN"} and not is_person(clause.subjects[0]) | False:
            scene.fact(name_of(clause.subjects[0], scene) or "", "version", on[1], clause.span, Held(confidence=0.85))
        for found_name in _INSTALLED.finditer(_text(clause, scene)):
            if found_name["name"].lower() not in {
                "is",
                "on",
                "at",
                "to",
                "version",
                "of",
                "than",
                "costs",
                "about",
                "and",
                "or",
                "from",
                "runs",
                "are",
                "the",
                "v",
            }:
                scene.fact(found_name["name"], "version", found_name["version"], clause.span, Held(confidence=0.8))


def attribute_noun(token: Token, lexicon: Lexicon) -> bool:
    """Whether the noun is itself an attribute of something ("the deadline was moved to 5 May")."""
    known = lexicon.nouns.get(stem(token.lemma_))
    return known is not None and lexicon.kinds.get(known.relation) in {"date", "quantity", "text", "status"}


_CASES = frozenset(
    {"order", "ticket", "case", "shipment", "package", "parcel", "invoice", "request", "claim", "refund", "payment", "delivery", "issue"}
)


def _standing(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    """Read "order 5521 has been delivered": where a numbered case stands."""
    found = re.match(r"(?:(?:is|are|was|has|have|been|now|already|still|currently|'s)\s+)*", scene.text[clause.verb.idx : clause.span[1]])
    after = clause.verb.idx + (found.end() if found and clause.lemma == "be" else 0)
    status = STATUSES.match(scene.text[after : clause.span[1]])
    for what in clause.subjects if status and lexicon.knows("status") else ():
        number = what if what.like_num else what.nbor(1) if what.i + 1 < len(what.doc) else what
        head = what.nbor(-1) if what.like_num and what.i > what.sent.start else what
        if status and head.lemma_.lower() in _CASES and any(character.isdigit() for character in number.text):
            scene.fact(f"{head.lower_} {number.text}", "status", status[0], clause.span, Held(confidence=0.85))


def _reached(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    found = _REACH.search(_text(clause, scene))
    if found is None:
        return
    who = found["who"].lower()
    name = (
        scene.speaker
        if who in {"me", "us"}
        else scene.who({"him": "m", "her": "f"}.get(who, ""))
        if who in {"him", "her", "them"}
        else found["who"]
    )
    email, phone = EMAIL.search(found["what"]), PHONE.search(found["what"])
    if name and email and lexicon.knows("email"):
        scene.fact(name, "email", email[0], clause.span, Held(confidence=0.9))
    elif name and phone and lexicon.knows("phone"):
        scene.fact(name, "phone", phone[0].strip(), clause.span, Held(confidence=0.9))
