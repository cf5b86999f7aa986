"""What English clauses ask, plan, limit and order: goals and their status, plans with steps, constraints, instructions, rules."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from graphmem.language.english import Clause, Sentence
from graphmem.language.english_phrases import phrase, prepositions
from graphmem.language.english_stance import auxiliaries
from graphmem.language.english_words import (
    CHATTER_VERBS,
    CLOSED,
    IDLE_VERBS,
    NOT_WANTED,
    STATUS_VERBS,
    STATUS_WORDS,
    TASK_NOUNS,
    TASK_VERBS,
)
from graphmem.language.scene import Held, Scene, Timed
from graphmem.language.values import ahead, day_of

Token = Any
_PLEASE = re.compile(
    r"^(?:hey|hi|hello|so|ok|okay|also|and|then|oh|well|yes|no|sure|great|thanks|thank you)?[,!\s]*(?:please|pls|kindly|can you|could you|would you|will you|can u|could we|i'd like you to|i want you to|i need you to|would you mind|help me(?: to)?|remind me|don't let me forget|don't forget|make sure|let's|let us|remember to)\b",
    re.IGNORECASE,
)
_URGENT = re.compile(
    r"\b(?:urgent(?:ly)?|asap|as soon as possible|top priority|high priority|immediately|right away|critical)\b", re.IGNORECASE
)
_LOW = re.compile(r"\b(?:low priority|no rush|no hurry|whenever you can|when you have time|not urgent)\b", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|before|until|due(?: on| by)?|no later than|on|this|at|for)\s*(?:the\s)?$", re.IGNORECASE)


def read_tasks(sentence: Sentence, scene: Scene, told: set[int]) -> set[int]:
    done: set[int] = set()
    for clause in sentence.clauses:
        if clause.verb.i in done or clause.verb.i in told:
            continue
        if _follows(clause, scene) or _status_news(clause, scene) or _goal(clause, sentence, scene):
            done |= {inner.i for inner in clause.verb.subtree if inner.pos_ in {"VERB", "AUX"}}
    return done


# ── goals ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _goal(clause: Clause, sentence: Sentence, scene: Scene) -> bool:
    wish = _wished(clause, sentence)
    if wish is None or _idle(wish, scene):
        return False
    start, end = clause.span
    deadline = _deadline(sentence, scene)
    text = sentence.text
    priority = "high" if _URGENT.search(text) else "low" if _LOW.search(text) else None
    kind = "Plan" if clause.lemma == "plan" and clause.tense == "present" and wish.pos_ == "NOUN" else "Goal"
    reason, purpose = _why(wish, scene)
    scene.learn(
        kind,
        {"status": "pending", "deadline": deadline if kind == "Goal" else None, "priority": priority if kind == "Goal" else None},
        (start, end),
        Held(confidence=0.8),
        reason=reason,
        purpose=purpose,
    )
    scene.topic = (
        phrase(wish)
        if wish.pos_ == "NOUN"
        else next((phrase(child) for child in wish.children if child.dep_ == "dobj" and child.pos_ in {"NOUN", "PROPN"}), scene.topic)
    )
    return True


_NEEDED = re.compile(
    r"\b(?:ha(?:s|ve) to|must|need(?:s)? to|should|is|'s|are) (?:be )?(?:done|finished|ready|completed?|booked|sent|submitted|there|due|in place|settled|arranged|paid|delivered)\b",
    re.IGNORECASE,
)


def _follows(clause: Clause, scene: Scene) -> bool:
    """Read "…; it has to be done by 20 March" gives the goal before it its deadline."""
    subject = next(iter(clause.subjects), None)
    start, end = clause.span
    if subject is None or subject.lower_ not in {"it", "that", "this", "they", "both"} or not _NEEDED.search(scene.text[start:end]):
        return False
    last = next((index for index in range(len(scene.drafts) - 1, -1, -1) if scene.drafts[index].type == "Goal"), None)
    when = next((time for time in scene.times(start, end) if day_of(time.interval)), None)
    if last is None or when is None:
        return False
    goal = scene.drafts[last]
    scene.drafts[last] = replace(goal, properties={**goal.properties, "deadline": day_of(ahead(when, scene))})
    return True


def _wished(clause: Clause, sentence: Sentence) -> Token | None:
    """The verb (or noun) that is wanted, planned or asked for by this clause."""
    verb, stance = clause.verb, clause.stance
    first = next(iter(clause.subjects), None)
    mine = (first is not None and first.lower_ in {"i", "we"} | {"my", "our"}) or (
        first is not None and any(child.lower_ in {"my", "our"} for child in clause.subjects)
    )
    inner = next((child for child in clause.children("xcomp") if child.tag_ == "VB"), None)
    auxes = {aux.lower_ for aux in auxiliaries(verb)}
    if stance == "question":
        polite = re.search(
            r"\b(?:can|could|would|will) (?:you|u)\b(?: please)?(?! (?:think|know|say|believe|tell|imagine|see|hear|like|want|be|recommend|suggest|explain|guess|remember))",
            sentence.text,
            re.IGNORECASE,
        )
        return _mind(clause) if polite and verb.dep_ == "ROOT" and first is not None and first.lower_ == "you" else None
    if stance == "negated" and clause.lemma == "forget" and verb.tag_ in {"VB", "VBP"} and not clause.subjects:
        return inner
    if (
        clause.lemma == "be"
        and first is not None
        and first.lemma_ in {"goal", "aim", "plan", "dream", "target", "objective", "resolution", "task", "priority", "job"}
        and stance == "asserted"
    ):
        mine = any(child.lower_ in {"my", "our"} for child in first.children)
        return inner if mine else None
    if stance == "imperative":
        return _commanded(clause, inner, sentence.text)
    if not (mine or _all_first(clause)):
        return None
    if stance == "asserted" and clause.tense in {"present", "perfect"} and clause.lemma in WANTING:
        if inner is not None:
            return inner
        return next(
            (
                child
                for child in clause.children("dobj")
                if clause.lemma in {"plan", "need", "want"}
                and child.pos_ == "NOUN"
                and (clause.lemma == "plan" or child.lemma_ in TASK_NOUNS)
            ),
            None,
        )
    if stance == "asserted" and clause.lemma == "go" and inner is not None and verb.tag_ == "VBG" and not auxes & {"was", "were"}:
        return inner
    if stance == "modal" and auxes & {"would", "'d"} and clause.lemma in {"like", "love"} and inner is not None:
        return inner
    if (stance == "modal" and auxes & {"must", "should", "ought"}) or (stance == "intended" and auxes & {"will", "'ll"}):
        return verb if verb.tag_ == "VB" and verb.lemma_ in TASK_VERBS and _dated(clause) else None
    return None


WANTING = frozenset({"want", "need", "plan", "have", "hope", "intend", "aim", "aspire", "decide", "got", "wish", "arrange"})


def _dated(clause: Clause) -> bool:
    return any(inner.ent_type_ in {"DATE", "TIME"} for inner in clause.verb.subtree)


def _all_first(clause: Clause) -> bool:
    return bool(clause.subjects) and any(token.lower_ in {"i", "we"} for token in clause.subjects)


def _mind(clause: Clause) -> Token:
    if clause.lemma == "mind":
        return next(iter(clause.children("xcomp", "pcomp")), clause.verb)
    return clause.verb


def _commanded(clause: Clause, inner: Token | None, text: str) -> Token | None:
    verb = clause.verb
    polite = re.search(r"\b(?:please|pls|kindly)\b", text, re.IGNORECASE) is not None
    if clause.lemma in {"remind", "help"} and inner is None:
        inner = next((child for child in clause.children("ccomp", "xcomp", "advcl", "prep") if child.pos_ == "VERB"), None)
        if inner is None and clause.lemma == "remind":
            return next((pobj for prep in clause.children("prep") for pobj in prep.children if pobj.dep_ == "pobj"), None)
    if clause.lemma == "let":
        asked = inner or next((child for child in clause.children("ccomp") if child.pos_ == "VERB"), None)
        return asked if asked is not None and _dated(clause) and "!" not in text else None
    if clause.lemma in {"remind", "remember", "help", "make", "try", "need"}:
        if clause.lemma == "make" and not any(child.lower_ == "sure" for child in clause.verb.children):
            return verb if polite or not text.rstrip().endswith("!") else None
        if clause.lemma in {"make", "try", "remember"} and not polite and not _dated(clause):
            return None
        return inner or next((child for child in clause.children("ccomp", "xcomp") if child.pos_ in {"VERB", "AUX"}), None)
    return verb if polite or (verb.lemma_.lower() in TASK_VERBS and not text.rstrip().endswith("!")) else None


def _idle(wish: Token, scene: Scene) -> bool:
    """Whether what is asked is talk ("tell me more", "let me know") or says too little to be a task."""
    lemma = wish.lemma_.lower()
    if lemma in IDLE_VERBS | CHATTER_VERBS and not (lemma in TASK_VERBS and scene.turn.addressee is None):
        return True
    own = {child.i for child in wish.children if child.dep_ in {"nsubj", "aux"}}
    text = " ".join(inner.lower_ for inner in wish.subtree if inner.i not in own)
    if NOT_WANTED.search(text):
        return True
    apart = {inner.i for child in wish.children if child.dep_ in {"conj", "parataxis"} for inner in child.subtree} | own | {wish.i}
    content = [inner for inner in wish.subtree if inner.pos_ in {"NOUN", "PROPN", "NUM", "VERB", "ADJ"} and inner.i not in apart]
    return not content and wish.pos_ == "VERB" and not scene.times(wish.left_edge.idx, wish.right_edge.idx + len(wish.right_edge))


def _deadline(sentence: Sentence, scene: Scene) -> str | None:
    found = [Timed(time.start, time.end, ahead(time, scene)) for time in scene.times(sentence.start, sentence.end)]
    coming = [time for time in found if (time.interval.end or time.interval.start or scene.turn.said_at) > scene.turn.said_at]
    chosen = next(
        (time for time in coming if _BY.search(scene.text[: time.start]) or _BY.match(scene.text[time.start : time.end] + " ")), None
    ) or next(iter(coming), None)
    return day_of(chosen.interval) if chosen else None


def _why(verb: Token, scene: Scene) -> tuple[str | None, str | None]:
    """(reason, purpose) stated behind because/since and so that/in order to."""
    text = scene.text[verb.left_edge.idx : verb.sent.end_char]
    reason = re.search(r"\b(?:because|since|as)\s+((?!of\b)[^.!?;]+)", text)
    purpose = re.search(r"\b(?:so that|so I can|so we can|in order to|to be able to)\s+([^.!?;]+)", text)
    return (reason[1].strip() if reason and reason[0].startswith("because") else None), (purpose[1].strip() if purpose else None)


# ── status ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _status_news(clause: Clause, scene: Scene) -> bool:
    """Read "The visa task is done", "I booked the flight": what is news of an open goal."""
    if clause.stance not in {"asserted", "begun"} or clause.tense == "future":
        return False
    acted = _act_on(clause) or _done_with(clause)
    found = _state_of(clause) or acted
    if found is None:
        return False
    status, what = found
    hint = phrase(what)
    number = what.nbor(1) if what.i + 1 < len(what.doc) else what
    hint = f"{hint} {number.text}" if number.like_num and number.i != what.i and number.text not in hint else hint
    if what.pos_ == "PRON":
        if what.lower_ not in {"it", "that", "this", "everything", "all"}:
            return False
        hint = ""
    scene.learn("Goal", {"status": status}, clause.span, Held(confidence=0.75), hint=hint, update=found == acted or not hint)
    return True


def _state_of(clause: Clause) -> tuple[str, Token] | None:
    subject = next(iter(clause.subjects), None)
    if subject is None or clause.lemma.split()[0] not in {
        "be",
        "get",
        "remain",
        "do",
        "finish",
        "complete",
        "cancel",
        "block",
        "fail",
        "postpone",
        "stick",
        "close",
        "resolve",
        "call",
        "hold",
        "pause",
        "start",
    }:
        return None
    text = clause.verb.doc.text[clause.verb.idx : clause.span[1]].lower()
    text = re.sub(r"^(?:is|are|was|were|'s|has|have|been|got|gets|be|finally|now|all|already|still|currently|just)\b\s*", "", text)
    text = re.sub(r"^(?:(?:been|finally|now|all|already|still|currently|just|totally|completely)\s+)+", "", text)
    status = next((status for pattern, status in STATUS_WORDS if re.match(pattern, text)), None)
    if status is None or not _is_task(subject):
        return None
    return status, subject


def _is_task(token: Token) -> bool:
    return any(inner.lemma_.lower() in TASK_NOUNS for inner in (token, *token.children))


def _done_with(clause: Clause) -> tuple[str, Token] | None:
    """Read "I'm done with chapter 3"."""
    if clause.lemma != "be" and not (clause.passive and clause.verb.lemma_ in {"do", "finish"}):
        return None
    heads = [clause.verb, *clause.children("acomp", "attr")]
    said = any(head.lower_ in {"done", "finished", "through"} for head in heads) and any(
        token.lower_ in {"i", "we"} for token in clause.subjects
    )
    what = next((value for head in heads for prep, values in prepositions(head) for value in values if prep == "with"), None)
    return ("completed", what) if said and what is not None and what.pos_ in {"NOUN", "PROPN"} else None


def _act_on(clause: Clause) -> tuple[str, Token] | None:
    """First person, past or perfect: "I've booked the flight", "we finished the report", "done with chapter 3"."""
    status = STATUS_VERBS.get(clause.lemma)
    if status is None or clause.tense not in {"past", "perfect"} or not any(token.lower_ in {"i", "we"} for token in clause.subjects):
        return None
    what = next((child for child in clause.verb.children if child.dep_ == "dobj"), None)
    if what is None or what.pos_ not in {"NOUN", "PROPN"} or (clause.lemma not in CLOSED and what.lemma_.lower() not in TASK_NOUNS):
        return None
    return status, what
