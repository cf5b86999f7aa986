"""Constraints, standing instructions, rules and the frame of a conversation, in English."""

from __future__ import annotations

import re

from graphmem.language.english import Clause, Sentence
from graphmem.language.english_names import names
from graphmem.language.english_nouns import attribute
from graphmem.language.english_phrases import phrase
from graphmem.language.english_words import EVALUATIVE
from graphmem.language.lexicon import Lexicon
from graphmem.language.scene import Held, Scene
from graphmem.language.values import AMOUNT
from graphmem.quantity import CURRENCIES, parse_quantity

_NOT = r"(?:not|n't|never|cannot)"
_COMPARED = (
    ("lte", rf"{_NOT} (?:\w+ ){{0,3}}?(?:more|greater|higher|longer|later|larger|bigger|heavier|older|over|above|exceed(?:ing)?|go over|go above)\b(?: than)?|no (?:more|greater|higher|longer|larger) than|at most|maximum of|(?-i:max)\.?(?: of)?|up to|capped at|limited to|limit (?:of|is|to)|a maximum|the maximum is|maximum(?: \w+){{0,2}}:?|not exceed|within (?:a |the )?(?:budget|limit) of|or less\b"),
    ("gte", rf"{_NOT} (?:\w+ ){{0,3}}?(?:less|fewer|lower|under|below|shorter|smaller|younger|drop below|fall below|go below)\b(?: than)?|no (?:less|fewer|lower|shorter) than|at least|minimum of|a minimum|minimum(?: \w+){{0,2}}:?|(?-i:min)\.?(?: of)?|or more\b"),
    ("lt", r"(?:less|fewer|lower|cheaper|shorter|smaller|lighter|younger) than|below|under(?!stand)"),
    ("gt", r"(?:more|greater|higher|longer|larger|bigger|older|heavier) than|above|over|exceed(?:s|ing)?"),
    ("eq", r"exactly|precisely"),
)  # fmt: skip
_OPERATORS = tuple((operator, re.compile(rf"(?<![\w-])(?:{pattern})", re.IGNORECASE)) for operator, pattern in _COMPARED)
_OBLIGED = re.compile(
    r"\b(?:must|should|shall|ha(?:s|ve) to|need(?:s)? to|can(?:not|'t)|can not|may not|mustn't|shouldn't|got to|required to|supposed to|allowed|limit(?:ed)?|max(?:imum)?|min(?:imum)?|at most|at least|no more than|no less than|cap(?:ped)?|ceiling)\b|^(?:please )?(?:keep|stay|make sure|ensure|limit|spend|find|book|pick|choose|don't|do not|never|let's keep)\b|\b(?:want|need|prefer|would like) (?:it|them|something|the|a|an|my|our)\b|\bplease\b",
    re.IGNORECASE,
)
_FIRM = re.compile(
    r"\b(?:must|ha(?:s|ve) to|need(?:s)? to|can(?:not|'t)|can not|may not|mustn't|shouldn't|should|shall|limit|max(?:imum)?|min(?:imum)?|at most|at least|no more than|no less than|cap(?:ped)?|required|keep|stay|allowed)\b",
    re.IGNORECASE,
)
_COSTS = {"cost": "price", "pay": "price", "spend": "budget", "weigh": "weight", "last": "duration", "take": "duration"}
_NO_THING = re.compile(
    r"(?:^|[,;]\s*|\band\s+|\bbut\s+|\bwith\s+)(?:absolutely |strictly )?no (?P<what>[a-z][a-z' -]{2,40}?)(?:,? (?:please|for me|whatsoever|at all|in (?:it|there|them|my \w+)|allowed))(?=[.,;!]|$)",
    re.IGNORECASE,
)
_MUST_NOT = re.compile(
    r"\b(?:must(?:n't| not)|(?:can't|cannot|can not|may not|should(?:n't| not)) (?=have|contain|include|be (?:any|on|in|used|placed|served|located)|use|exceed)|ha(?:s|ve) to be free of|must be free of|(?:is|are) not allowed|not be any|must be no|should be no|has to be no|can be no)\s*(?P<what>[^.;!?]{2,60})",
    re.IGNORECASE,
)
_EATING = re.compile(
    r"\bI (?:can't|cannot|can not|must not|mustn't|am not allowed to|'m not allowed to) (?P<verb>eat|drink|have|take|consume) (?P<what>[^.,;!?]{2,40})",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\b(?:must|ha(?:s|ve) to|need(?:s)? to)(?: \w+ly)? (?P<what>(?:be|have|include|contain|support|offer|come|face|allow|use|run|provide|accept|fit|match)\b[^.;!?]{2,60})",
    re.IGNORECASE,
)
_ONLY = re.compile(r"^(?:please )?(?:only|just) (?P<what>[a-z][a-z -]{2,40}?),? please\b", re.IGNORECASE)
_WITHOUT = re.compile(
    r"\b(?:without|hold the|leave out(?: the)?|free of|skip the) (?P<what>(?:any )?[a-z][a-z -]{2,30}?)(?:,? please|,? thanks)(?=[.,;!]|$)",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"^(?:and |also |so |ok |okay |oh |hey |by the way,? )*(?:please,? )?(?:i(?:'d like| want| need) you to |you (?:should|must|need to|have to) |make sure (?:to |you |that you )|remember to |be sure to |try to )?(?:please )?(?:always|never)\b(?! been| had| have| was| mind| \w+ing\b| a | the | too )"
    r"|^(?:from now on|going forward|from here on(?: out)?|from today on|in (?:the )?future|for all future \w+|henceforth|as a rule)\b"
    r"|\b(?:from now on|going forward|in (?:the )?future|henceforth|at all times)[.!]?$"
    r"|^(?:please )?(?:whenever|every time|each time|any ?time) (?:i|you|we|there|someone)\b[^,]*, (?:please )?(?!i\b|we\b|he\b|she\b|it\b|they\b|my\b|the\b)\w+"
    r"|^(?:please )?(?:answer|reply|respond|write|speak|talk|communicate|explain (?:things|everything))(?: to me| back)? (?:only |always |exclusively )?(?:in (?:english|french|german|chinese|spanish|italian|japanese|korean|portuguese|simple|plain|short|bullet|full|one|a |the )|with|using|briefly|concisely|formally|informally|politely)"
    r"|^(?:please )?(?:keep|make) (?:your|all|the) (?:answers?|repl(?:y|ies)|responses?|explanations?|messages?|summar(?:y|ies)|emails?) "
    r"|^(?:please )?use (?:metric|imperial|celsius|fahrenheit|british|american|formal|informal|simple|plain|bullet|markdown|24-hour|12-hour|euros?|dollars?|python|typescript|javascript|rust|type hints|tabs|spaces)\b"
    r"|^(?:please )?(?:don't|do not|never|avoid|stop) (?:use|using|call(?:ing)? me|contact|email|text|mention|ask(?:ing)? me|suggest|recommend|share|assume|interrupt|send(?:ing)? me|apologi[sz]|wake|disturb|answer|reply|repl|address)",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"^(?:and |also |so |please )*(?P<mark>if|when|whenever|once|as soon as|in case|unless) (?P<condition>[^,]{5,120}), (?:then )?(?:please )?(?P<consequence>[^.!?]{4,160})",
    re.IGNORECASE,
)
_RULE_BACK = re.compile(
    r"^(?:please )?(?P<consequence>(?:notify|alert|call|email|text|tell|warn|ask|escalate|cancel|retry|send|use|switch|roll back|stop|skip|open|close|refund|ping)\b[^.!?,]{3,120}?) (?P<mark>if|whenever|when|as soon as|in case) (?P<condition>[^.!?]{5,120})",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"\b(?:would|could|might|were|had|'d|wish|moved|i was|i get|i win)\b", re.IGNORECASE)
_ORDERED = re.compile(
    r"^(?:always|never|don't|do not|you (?:must|should|have to|need to)|we (?:must|should|have to|need to)|(?:it|they|the [\w -]+|all [\w -]+|an? [\w -]+?) (?:must|should|ha(?:s|ve) to|need(?:s)? to|gets?|is|are)\b|then\b|notify|alert|call|email|text|tell|warn|ask|escalate|cancel|retry|send|use|switch|roll|stop|skip|open|close|refund|ping|turn|remind|book|choose|pick|buy|order|reply|answer|add|mark|create|check|run|restart|assign|block|contact|move|log|give|offer|apply|deploy|write|wait|let me know|replace)\b",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"^(?:please |now |ok(?:ay)?,? |so )*(?:act as|pretend (?:to be|you are|you're|that you)|you are now|you're now|let's (?:role-?play|play a (?:game|role)|pretend|talk about|discuss|focus on)|imagine you are|imagine you're|role-?play as|for this (?:session|conversation|chat)|in this (?:session|conversation|chat)|today we(?:'re| are) going to (?:talk|discuss|work))\b(?P<topic>[^.!?]{0,100})",
    re.IGNORECASE,
)


def read_limits(sentence: Sentence, scene: Scene, lexicon: Lexicon) -> set[int]:
    """Learn the limits and orders of a sentence; returns all its verbs where it is nothing else besides."""
    text, span = sentence.text.strip(), (sentence.start, sentence.end)
    everything = {clause.verb.i for clause in sentence.clauses}
    if _frame(text, span, scene):
        return everything
    if sentence.question:
        return set()
    if _rule(text, span, scene) or (_addressed(sentence) and _instruction(text, span, scene)):
        return everything
    if sentence.clauses and all(clause.stance in {"hypothetical", "question", "unsure"} for clause in sentence.clauses):
        return set()
    told = _amount(sentence, scene, lexicon)
    return told | _thing(sentence, scene, told)


# ── orders and rules ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _frame(text: str, span: tuple[int, int], scene: Scene) -> bool:
    found = _FRAME.search(text)
    if found is None:
        return False
    kind = "role_play" if re.search(r"act as|pretend|role|imagine you|you(?: a|')re now", found[0], re.IGNORECASE) else "conversation"
    scene.learn(
        "ContextualFrame", {"frame_type": kind, "topic": found["topic"].strip(" ,:.") or None, "active": True}, span, Held(confidence=0.8)
    )
    return True


def _addressed(sentence: Sentence) -> bool:
    """Whether somebody is told to do something: a bare verb, or "you" as its subject."""
    for clause in sentence.clauses:
        first = next(iter(clause.subjects), None)
        if clause.stance == "imperative" or (first is not None and first.lower_ == "you" and clause.stance != "question"):
            return True
        if first is None and clause.verb.tag_ in {"VB", "VBP"} and clause.verb.dep_ in {"ROOT", "conj"}:
            return True
    return False


def _instruction(text: str, span: tuple[int, int], scene: Scene) -> bool:
    if (
        scene.turn.message.role == "assistant"
        or _STANDING.search(text) is None
        or re.match(r"^(?:never ?mind|always (?:good|nice|happy|great|fun|a )|never (?:been|a |too))", text, re.IGNORECASE)
    ):
        return False
    if re.search(r"\b(?:never say never|hesitate|feel free|reach out|let me know|believe in|give up|forget that)\b", text, re.IGNORECASE):
        return False
    if re.match(r"^(?:from now on|in (?:the )?future|going forward),? (?:i|we|he|she|they|it)\b", text, re.IGNORECASE) and not re.search(
        r"\b(?:want you|need you)\b", text, re.IGNORECASE
    ):
        return False
    content = text.rstrip(".! ")
    priority = "high" if re.search(r"\b(?:never|must|under no circumstances|important)\b", text, re.IGNORECASE) else None
    scene.learn("Instruction", {"content": content, "priority": priority}, span, Held(confidence=0.85))
    return True


def _rule(text: str, span: tuple[int, int], scene: Scene) -> bool:
    found = _RULE.match(text) or _RULE_BACK.match(text)
    if found is None or _SUPPOSED.search(found["condition"]) or re.search(r"\b(?:would|could|might|'d)\b", found["consequence"]):
        return False
    mark = found["mark"].lower()
    ordered = _ORDERED.match(found["consequence"])
    if not ordered or (
        mark in {"when", "once"}
        and not re.match(r"(?:always|never|you (?:must|should)|notify|alert|warn|escalate)", found["consequence"], re.IGNORECASE)
    ):
        return False
    if re.match(
        r"(?:you|i|we)\b(?: ever)? (?:want|need|like|feel|have time|have a chance|can|think|see|are free|get)\b",
        found["condition"],
        re.IGNORECASE,
    ) or re.match(r"let (?:me|us) know", found["consequence"], re.IGNORECASE):
        return False
    if mark == "whenever" and re.match(r"(?:i|we)\b", found["condition"], re.IGNORECASE):
        return _instruction(text, span, scene)
    scene.learn("Rule", {"condition": found["condition"].strip(), "consequence": found["consequence"].strip()}, span, Held(confidence=0.8))
    return True


# ── limits ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _amount(sentence: Sentence, scene: Scene, lexicon: Lexicon) -> set[int]:
    """A number with its bound: "must not cost more than 120 euros", "keep it under 500 dollars", "between 20 and 30 people"."""
    told: set[int] = set()
    alone = (
        bound(sentence.text)
        if not any(clause.subjects for clause in sentence.clauses)
        and re.match(r"(?:the )?(?:max|min)", sentence.text, re.IGNORECASE)
        and _FIRM.search(sentence.text)
        else None
    )
    if alone:
        attribute_name = next((name for name in ("budget", "price", "weight", "age") if name in sentence.text.lower()), "amount")
        slots = {
            "subject": scene.topic or scene.speaker,
            "attribute": attribute_name,
            "operator": alone[0],
            "value": alone[1],
            "unit": alone[2] or None,
        }
        scene.learn("Constraint", slots, (sentence.start, sentence.end), Held(confidence=0.8))
    for clause in sorted(sentence.clauses, key=lambda item: item.span[1] - item.span[0]):
        start, end = clause.span
        text = scene.text[start:end]
        if (
            clause.verb.i in told
            or clause.stance in {"hypothetical", "question", "unsure"}
            or (clause.stance == "asserted" and clause.tense in {"past", "perfect"})
        ):
            continue
        found = bound(text)
        if found is None or not (_FIRM.search(text) or _OBLIGED.search(text)):
            continue
        operator, number, unit = found
        subject, attribute_name = _about(clause, unit, scene, lexicon)
        slots = {"subject": subject, "attribute": attribute_name, "operator": operator, "value": number, "unit": unit or None}
        scene.learn("Constraint", slots, (start, end), Held(confidence=0.85))
        told |= {inner.i for inner in clause.verb.subtree if inner.pos_ in {"VERB", "AUX"}} | {
            head.i for head in clause.verb.ancestors if clause.verb.dep_ in {"xcomp", "ccomp"}
        }
    return told


def bound(text: str) -> tuple[str, float, str] | None:
    """(operator, number, unit) of the first amount that a comparison stands before; "or less" may follow it."""
    folded = text.casefold().replace("￥", "¥")
    for amount in AMOUNT.finditer(folded):
        quantity = parse_quantity(text[amount.start() : amount.end()].strip()) if len(folded) == len(text) else None
        if quantity is None or (quantity.unit == "" and re.match(r"\s*(?:am|pm|o'clock|:)", folded[amount.end() :])):
            continue
        before, behind = text[max(0, amount.start() - 40) : amount.start()], text[amount.end() : amount.end() + 12]
        for operator, pattern in _OPERATORS:
            near = [match for match in pattern.finditer(before) if len(before) - match.end() <= 12]
            if near or (
                operator in {"lte", "gte"}
                and re.match(r"\s*(?:\w+\s)?or (?:less|more|fewer)", behind)
                and (("less" in behind or "fewer" in behind) == (operator == "lte"))
            ):
                return operator, quantity.number, quantity.unit
    return None


def _about(clause: Clause, unit: str, scene: Scene, lexicon: Lexicon) -> tuple[str, str]:
    """Whose limit it is, and of what: "the hotel must not cost …" → (hotel, price)."""
    verb = clause.verb
    subject = next(iter(clause.subjects), None)
    if subject is None or subject.pos_ == "PRON":
        topic = next((child for child in verb.children if child.dep_ == "dobj" and child.pos_ in {"NOUN", "PROPN"}), None)
        named = attribute(topic, lexicon) if topic is not None else None
        return (scene.topic or scene.speaker), (
            named[0].relation
            if named
            else _COSTS.get(
                verb.lemma_, "price" if verb.lemma_ in {"keep", "stay", "be"} else phrase(topic) if topic is not None else verb.lemma_
            )
        )
    found = attribute(subject, lexicon)
    if found:
        owner = found[1]
        whose = (
            names(owner, scene)[:1]
            if owner is not None and owner.dep_ not in {"compound", "amod"}
            else ((owner.text,) if owner is not None else ())
        )
        return (whose[0] if whose else scene.topic or scene.speaker), found[0].relation
    if unit.split("/", maxsplit=1)[0] in CURRENCIES and not re.search(
        r"\b(?:cost|price|total|fee|rent|budget|spend|amount|balance|bill|limit)", phrase(subject), re.IGNORECASE
    ):
        return next(iter(names(subject, scene)), phrase(subject)), "price"
    if verb.lemma_ in _COSTS:
        return next(iter(names(subject, scene)), phrase(subject)), _COSTS[verb.lemma_]
    return scene.topic or scene.speaker, phrase(subject).lower()


def _thing(sentence: Sentence, scene: Scene, taken: set[int]) -> set[int]:
    """What must or must not be: "no beef please", "there must be no coriander in it", "the room must have a balcony"."""
    text = sentence.text
    told: set[int] = set()
    for pattern, operator in ((_NO_THING, "must_not"), (_WITHOUT, "must_not"), (_ONLY, "must")):
        for found in pattern.finditer(text):
            what = re.sub(r"^any ", "", found["what"].strip())
            if what.split()[0].lower() in {"problem", "worries", "idea", "way", "doubt", "need", "rush", "thanks", "more", "one", "matter"}:
                continue
            start = sentence.start + found.start() + (len(found[0]) - len(found[0].lstrip(" ,;")))
            _limit(scene, what, operator, (start, sentence.start + found.end()))
            told |= {token.i for token in sentence.tokens if sentence.start + found.start() <= token.idx < sentence.start + found.end()}
    if told:
        return told
    eating = _EATING.search(text)
    if eating:
        _limit(
            scene,
            re.sub(r"^(?:any|anything with|foods? with)\s+", "", eating["what"].strip()),
            "must_not",
            (sentence.start, sentence.end),
            about=(scene.speaker, "diet"),
        )
        return {clause.verb.i for clause in sentence.clauses}
    for clause in sentence.clauses:
        if (
            clause.verb.i in taken
            or clause.stance not in {"modal", "negated", "asserted", "intended"}
            or clause.tense in {"past", "perfect"}
        ):
            continue
        told |= _modal_thing(clause, scene)
    return told


def _modal_thing(clause: Clause, scene: Scene) -> set[int]:
    start, end = clause.span
    verb = clause.verb
    subject = next(iter(clause.subjects), None)
    if (subject is not None and subject.lower_ in {"i", "we", "you", "he", "she"}) or verb.dep_ in {"xcomp", "relcl", "acl", "advcl"}:
        return set()
    text = scene.text[start:end]
    for pattern, operator in ((_MUST_NOT, "must_not"), (_MUST, "must")):
        found = pattern.search(text)
        if (
            found is None
            or re.search(r"\b(?:who|which|that|because|since)\b", text[: found.start()])
            or (
                operator == "must"
                and (
                    subject is None
                    or subject.pos_ == "PRON"
                    or EVALUATIVE.match(found["what"])
                    or re.match(
                        r"be (?:done|finished|completed|paid|sent|submitted|booked|fixed|ready|delivered|returned|signed|there|a joke|tough|hard|nice|so|great|amazing|the|careful|honest)\b",
                        found["what"],
                    )
                )
            )
        ):
            continue
        what = re.sub(
            r"^(?:be|have|contain|include|any|a|an|the|allow|use)\s+", "", re.sub(r"\s+(?:in it|there|at all)$", "", found["what"].strip())
        )
        _limit(
            scene,
            re.sub(r"^(?:any|a|an)\s+", "", what),
            operator,
            (start, end),
            about=(phrase(subject) if subject is not None else None, verb.lemma_ if verb.lemma_ != "be" else None),
        )
        return {inner.i for inner in verb.subtree if inner.pos_ in {"VERB", "AUX"}} | {
            head.i for head in verb.ancestors if verb.dep_ == "xcomp"
        }
    return set()


def _limit(scene: Scene, what: str, operator: str, span: tuple[int, int], about: tuple[str | None, str | None] = (None, None)) -> None:
    subject, attribute = about
    slots = {
        "subject": subject or scene.topic or scene.speaker,
        "attribute": attribute or "content",
        "operator": operator,
        "value": re.sub(r"\s+in it$", "", what),
    }
    scene.learn("Constraint", slots, span, Held(confidence=0.8))
