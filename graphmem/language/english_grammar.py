"""How English verbs speak of the core relations: a spelling opens with "+" where the relation begins, "-" where it ends, "<" where subject and object swap.

Only relations that the ontology declares are used; their own spellings come from there.
"""

from __future__ import annotations

GRAMMAR: dict[str, tuple[str, ...]] = {
    "lives_in": ("live in", "reside in", "based in", "dwell in", "live at", "live near", "+move to", "+relocate to", "+settle in", "+move back to", "+move into",
                 "+settle down in", "+transfer to", "+emigrate to", "+immigrate to", "-move out of", "-move away from", "-leave", "-live in"),
    "works_at": ("work at", "work for", "work in", "employed by", "employed at", "teach at", "+join", "+start at", "+hired by", "+start with", "+work at", "+recruited by", "+start job at", "+get job at", "+land job at", "+take job at", "+accept job at", "+find job at", "have job at", "hold job at", "work part-time at",
                 "-quit job at", "-leave job at", "-lose job at", "-leave position at", "-quit position at", "+start position at", "+take position at", "+accept position at", "employee of",
                 "-leave", "-quit", "-resign from", "-fired from", "-retire from", "-lay off from", "-laid off from", "-lay off by", "-depart from", "intern at", "on staff at"),
    "job_title": ("work as", "+promoted to", "+become", "serve as", "employed as", "+hired as", "+join as", "+start as", "+appointed as", "+appointed", "+take over as", "+promote to", "+hire as", "+appoint as", "freelance as", "job as"),
    "studies_at": ("study at", "enrolled at", "enrolled in", "+enroll at", "+enrol at", "+enroll in", "go to", "attend", "major at", "-graduate from", "-drop out of", "+admitted to",
                   "+accepted at", "+accepted to", "+start at", "student at", "studying at"),
    "born_on": ("born on", "born in"),
    "married_to": ("married to", "marry", "+marry", "+get married to", "+wed", "-divorce", "-divorced from", "+tie the knot with"),
    "partner_of": ("+engaged to", "date", "dating", "in a relationship with", "-break up with", "-split up with", "live together with"),
    "friend_of": ("friends with", "best friends with", "friend of", "+befriend"),
    "colleague_of": ("work with", "work alongside", "colleagues with", "colleague of"),
    "sibling_of": ("brother of", "sister of", "sibling of"),
    "parent_of": ("mother of", "father of", "parent of", "<son of", "<daughter of", "<child of"),
    "owns": ("own", "possess", "+buy", "+purchase", "+acquire", "owner of", "<owned by", "-sell", "have", "+get"),
    "has_pet": ("+adopt", "have", "+get", "keep", "+buy", "+rescue"),
    "allergic_to": ("allergic to", "intolerant to", "intolerant of", "allergy to", "have an allergy to"),
    "speaks": ("speak", "fluent in", "speak in", "native speaker of"),
    "member_of": ("member of", "belong to", "+join", "play for", "sing in", "play in", "be on", "be in", "-leave", "-quit", "part of"),
    "located_in": ("located in", "situated in", "based in", "lie in", "stand in", "sit in", "headquartered in", "located on", "located at", "be in", "found in", "lie on", "stand on"),
    "part_of_org": ("part of", "subsidiary of", "division of", "branch of", "unit of", "department of", "belong to", "+acquired by", "owned by", "+merge into", "subsidiary to"),
    "uses": ("use", "+switch to", "+migrate to", "+adopt", "-switch from", "-migrate from", "-stop using", "run on", "built with", "written in", "work with", "built on"),
    "depends_on": ("depend on", "rely on", "require", "depend upon", "rely upon", "dependent on", "<required by", "<dependency of"),
    "capital_of": ("capital of", "capital city of"),
    "plays": ("play",),
    "created": ("create", "write", "compose", "invent", "found", "design", "develop", "build", "paint", "author", "publish", "direct", "co-found", "establish", "launch", "<created by",
                "<written by", "<founded by", "<designed by", "<built by", "<developed by", "<composed by", "<painted by", "<invented by", "author of", "founder of", "creator of"),
    "manages": ("manage", "lead", "run", "head", "oversee", "supervise", "responsible for", "in charge of", "head up", "manager of", "head of", "<managed by", "<led by", "<run by",
                "+take over", "<headed by", "supervisor of", "leader of", "lead of", "-step down from", "-hand over"),
    "visited": ("visit", "go to", "be to", "travel to", "fly to", "trip to", "tour", "come back from", "return from", "get back from", "drive to"),
    "attended": ("attend", "go to", "participate in", "take part in", "come to", "be at", "speak at", "present at", "be to"),
}  # fmt: skip

NOUNS: dict[str, tuple[str, ...]] = {
    "price": ("price", "cost", "rent", "fee", "fare", "ticket price", "entry fee", "monthly rent", "tuition"),
    "budget": ("budget",),
    "deadline": ("deadline", "due date", "cutoff date", "submission date"),
    "status": ("status", "state"),
    "version": ("version", "release"),
    "phone": ("phone", "phone number", "telephone number", "mobile number", "cell number", "number", "mobile", "cell", "telephone", "contact number", "cell phone number"),
    "email": ("email", "email address", "e-mail", "e-mail address", "mail"),
    "address": ("address", "home address", "postal address", "delivery address", "shipping address", "street address", "mailing address", "office address", "billing address"),
    "age": ("age",),
    "name": ("name", "full name", "real name", "first name", "last name", "surname"),
    "nickname": ("nickname", "pet name"),
    "job_title": ("job title", "title", "role", "position", "occupation", "profession", "job"),
    "born_on": ("birthday", "date of birth", "birth date", "birthdate", "birthday date"),
    "works_at": ("employer",),
    "speaks": ("native language", "mother tongue", "first language"),
    "capital_of": ("capital", "capital city"),
    "lives_in": ("home town", "home city"),
    "manages": ("manager", "boss", "head", "lead", "leader", "supervisor"),
    "created": ("author", "creator", "founder", "inventor", "designer"),
}  # fmt: skip
"""Nouns of the form "the NOUN of X is Y"."""
FILLER_IS_SUBJECT = frozenset({"capital_of", "manages", "created", "married_to", "parent_of", "sibling_of", "friend_of", "colleague_of"})
"""Relations where "the NOUN of X is Y" makes Y the subject."""
DATED = frozenset({"deadline", "born_on"})
HAPPENINGS = frozenset({"visited", "attended", "created", "born_on", "born_in"})
"""Relations that, once true, stay so: a past tense does not end them."""
ENDURING = frozenset(
    {
        "lives_in",
        "works_at",
        "job_title",
        "studies_at",
        "speaks",
        "member_of",
        "uses",
        "depends_on",
        "plays",
        "manages",
        "owns",
        "has_pet",
        "partner_of",
        "colleague_of",
        "located_in",
        "part_of_org",
        "friend_of",
    }
)
"""Relations that hold over a stretch of time: a plain past tense says that the stretch is over."""
NEEDS_PRESENT = frozenset({"plays", "uses", "eats", "drinks", "created"})
