"""English word lists that decide how a clause is meant; relations themselves come from the ontology."""

from __future__ import annotations

import re

_SPLIT = str.split

HYPOTHETICAL_STARTS = (
    "if only",
    "imagine",
    "suppose",
    "supposing",
    "let's say",
    "lets say",
    "what if",
    "pretend",
    "say i ",
    "hypothetically",
    "in theory",
    "assuming",
    "assume",
    "in an ideal world",
    "in a perfect world",
    "picture this",
    "had i ",
    "were i ",
    "should i ",
    "i wish",
    "wish i",
)
FICTION = re.compile(
    r"^(?:in|according to) (?:the|a|my|this|that) (?:movie|film|book|novel|story|game|show|series|dream|play|joke|song|episode)\b|\bi dream(?:ed|t) (?:that|about)\b"
)
CONDITIONALS = frozenset({"if", "unless", "supposing", "as if", "as though", "in case", "provided", "assuming"})
DOUBTING_ADVERBS = frozenset(
    _SPLIT("maybe perhaps probably possibly almost nearly supposedly allegedly apparently presumably hopefully likely potentially ideally")
)
ASPECTUAL = frozenset(_SPLIT("start begin continue keep resume"))
STOPPING = frozenset(_SPLIT("stop quit cease finish"))
INTENDING = frozenset(
    _SPLIT(
        "want plan hope intend wish need have like love decide try aim expect prefer agree promise consider think dream learn look forward mean arrange prepare offer aspire attempt propose ought got gon long vow"
    )
)
FACTIVE = frozenset(
    _SPLIT("know realise realize remember note notice forget find discover learn see confirm show mention mean prove remind recall admit")
)
REPORTING = frozenset(_SPLIT("say tell mention report announce explain write inform reveal state add text email"))
CLAIMING = frozenset(_SPLIT("claim allege insist joke lie pretend rumor rumour hear deny suggest swear"))
BELIEVING = frozenset(_SPLIT("think believe guess suppose assume imagine doubt suspect wonder hope wish fear bet figure reckon feel"))
VAGUE_SOURCES = frozenset(_SPLIT("someone somebody people they everyone everybody anyone he she it nobody rumor rumour you"))
ASSERTING_ADJECTIVES = frozenset(
    _SPLIT("true clear certain sure glad happy proud sad sorry great good lucky thrilled excited relieved fact thing news")
)

# ── kinds of nouns ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

KIN = {
    **dict.fromkeys(_SPLIT("father dad daddy papa stepfather stepdad"), ("parent", "m")),
    **dict.fromkeys(_SPLIT("mother mom mum mommy mummy mama stepmother stepmom"), ("parent", "f")),
    **dict.fromkeys(_SPLIT("parent"), ("parent", "")),
    **dict.fromkeys(_SPLIT("son stepson boy"), ("child", "m")),
    **dict.fromkeys(_SPLIT("daughter stepdaughter girl"), ("child", "f")),
    **dict.fromkeys(_SPLIT("child kid baby toddler newborn"), ("child", "")),
    **dict.fromkeys(_SPLIT("brother stepbrother"), ("sibling", "m")),
    **dict.fromkeys(_SPLIT("sister stepsister"), ("sibling", "f")),
    **dict.fromkeys(_SPLIT("sibling twin"), ("sibling", "")),
    **dict.fromkeys(_SPLIT("husband hubby"), ("spouse", "m")),
    **dict.fromkeys(_SPLIT("wife"), ("spouse", "f")),
    **dict.fromkeys(_SPLIT("spouse"), ("spouse", "")),
    **dict.fromkeys(_SPLIT("boyfriend fiancé"), ("partner", "m")),
    **dict.fromkeys(_SPLIT("girlfriend fiancée"), ("partner", "f")),
    **dict.fromkeys(_SPLIT("partner fiance fiancee"), ("partner", "")),
    **dict.fromkeys(_SPLIT("friend buddy bestie pal mate roommate flatmate housemate"), ("friend", "")),
    **dict.fromkeys(_SPLIT("colleague coworker co-worker teammate workmate"), ("colleague", "")),
}
"""What somebody is to the one whose relative they are, with their gender."""
KIN_RELATION = {
    "parent": ("parent_of", True), "child": ("parent_of", False), "sibling": ("sibling_of", False), "spouse": ("married_to", False),
    "partner": ("partner_of", False), "friend": ("friend_of", False), "colleague": ("colleague_of", False), "pet": ("has_pet", False),
}  # fmt: skip
"""Relation between the owner of the noun and the one named; True: the one named is the subject."""
PETS = frozenset(
    _SPLIT(
        "dog cat puppy kitten parrot hamster rabbit bunny goldfish turtle tortoise pony horse pet budgie canary ferret lizard gecko snake corgi poodle labrador beagle terrier retriever tabby cockatiel pup doggo kitty chinchilla bird"
    )
)
OCCUPATIONS = frozenset(_SPLIT(
    "accountant actor actress analyst architect artist assistant astronaut attorney auditor author baker barber barista bartender bookkeeper builder butcher "
    "carpenter cashier chef chemist clerk coach columnist composer conductor consultant contractor cook coordinator copywriter counselor counsellor critic curator "
    "dancer dentist designer detective developer dietitian director doctor driver economist editor electrician engineer entrepreneur farmer firefighter fisherman "
    "florist freelancer gardener geologist guard guide hairdresser historian illustrator inspector instructor intern interpreter janitor jeweller journalist judge "
    "landscaper lawyer lecturer librarian lifeguard locksmith machinist manager marketer mechanic midwife model musician novelist nurse nutritionist officer optician "
    "painter paralegal paramedic pediatrician paediatrician pharmacist photographer physician physicist physiotherapist pianist pilot planner plumber poet policeman politician "
    "porter potter principal producer professor programmer psychiatrist psychologist psychotherapist radiologist realtor receptionist recruiter reporter researcher "
    "sailor salesman saleswoman scientist sculptor secretary security server singer soldier statistician student stylist surgeon surveyor tailor teacher technician "
    "therapist trainer translator tutor vet veterinarian violinist waiter waitress welder writer zoologist ceo cto cfo coo founder co-founder chairman chairwoman lead head "
    "administrator admin apprentice postdoc biologist botanist broker buyer dean dispatcher drummer supervisor tester strategist specialist superintendent representative "
    "manager's partner-at-law nanny caretaker caregiver courier housekeeper"
)) - {"model", "security", "partner-at-law", "manager's"}  # fmt: skip
ORG_NOUNS = frozenset(
    _SPLIT(
        "hospital clinic bank school company university college restaurant cafe café library bakery startup firm agency shop store museum hotel airline ministry embassy lab laboratory institute studio factory farm pharmacy newspaper bookstore bookshop supermarket garage workshop kindergarten nursery brewery office station council theatre theater gallery gym"
    )
)
GROUP_NOUNS = frozenset(
    _SPLIT(
        "club team choir band orchestra gym group society union association league committee board community church party network guild crew squad class ensemble troupe chapter fraternity sorority council alliance"
    )
)
EVENT_NOUNS = frozenset(
    _SPLIT(
        "summit conference workshop concert wedding festival meetup meeting seminar webinar lecture course class exhibition fair party ceremony funeral gala hackathon symposium congress convention talk show parade retreat camp marathon race game match reunion premiere event training session expo opera play screening support rally march protest forum tournament bootcamp barbecue picnic dinner"
    )
)
APPOINTMENTS = EVENT_NOUNS | frozenset(
    _SPLIT(
        "appointment interview exam test check-up checkup surgery flight train trip call standup stand-up review demo lesson practice rehearsal recital date visit birthday anniversary launch release inspection operation vacation holiday graduation sync kickoff kick-off presentation hearing audition lunch breakfast brunch up scan treatment move tour webinar"
    )
)
OWNABLES = frozenset(
    _SPLIT(
        "car bike bicycle motorcycle motorbike scooter house apartment flat condo boat yacht van truck piano guitar violin laptop computer phone camera drone tent cabin cottage farm restaurant shop store bakery cafe company business garden telescope kayak canoe sailboat caravan camper rv tesla tablet printer studio gallery villa vineyard land plot van tractor kiln loom keyboard drum drums surfboard"
    )
)
STUDY_PLACES = frozenset(
    _SPLIT("university college school academy institute conservatory polytechnic mit stanford harvard oxford cambridge uni")
)
NOT_PLAYED = frozenset(
    _SPLIT(
        "role part trick joke game games music song songs prank video videos record records album tune hand it them that this one ball card fetch note notes catch tricks along lot"
    )
)
ORG_SUFFIXES = frozenset(
    _SPLIT(
        "inc ltd llc corp group bank labs lab university college school institute company pay systems technologies tech studio studios hospital clinic foundation agency solutions software energy airlines motors foods media partners dental"
    )
)
"""Last words of names that are no people."""
TITLES = frozenset(
    _SPLIT(
        "patient customer client colleague user friend mr mister guest employee member student tenant neighbour neighbor coworker teammate contact"
    )
)
DAYS = frozenset(
    _SPLIT(
        "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december"
    )
)
CHANGES = frozenset(
    _SPLIT(
        "raise increase rise grow go cut reduce lower drop fall change set fix move extend bump upgrade update decrease double shift postpone push bring adjust climb jump revise cap limit"
    )
)
INSTITUTIONS = frozenset(
    _SPLIT(
        "office headquarter headquarters hq branch warehouse house apartment flat building factory plant venue center centre campus site shop studio home museum library temple church station airport bridge river mountain lake stadium server datacenter data-center cluster village town city capital region island park"
    )
)

# ── taste and feeling ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

LIKING = {
    **dict.fromkeys(_SPLIT("like enjoy appreciate dig fancy favor favour"), ("like", 0.7)),
    **dict.fromkeys(_SPLIT("love adore cherish"), ("like", 0.9)),
    **dict.fromkeys(_SPLIT("dislike mind avoid"), ("dislike", 0.7)),
    **dict.fromkeys(_SPLIT("hate detest loathe despise"), ("dislike", 0.9)),
}
del LIKING["mind"], LIKING["avoid"], LIKING["appreciate"]
UNTASTED = frozenset(
    _SPLIT(
        "idea thing way sound look time day part place stuff lot kind one bit photo picture pic pics support help feedback advice suggestion it them him her me us you everyone everything details detail chance moment work vibe pleasure talk attitude spirit enthusiasm opportunity"
    )
)
INTENSIFIERS = frozenset(_SPLIT("so very really extremely absolutely totally incredibly super completely utterly deeply terribly"))
EMOTIONS = {
    **dict.fromkeys(
        _SPLIT(
            "happy glad thrilled excited delighted overjoyed ecstatic joyful pleased proud relieved cheerful elated stoked pumped grateful thankful psyched content"
        ),
        "joy",
    ),
    **dict.fromkeys(
        _SPLIT(
            "sad unhappy heartbroken devastated depressed disappointed lonely gutted miserable upset down homesick crushed blue gloomy sorrowful grieving heart-broken disheartened"
        ),
        "sadness",
    ),
    **dict.fromkeys(
        _SPLIT("angry furious mad annoyed irritated frustrated outraged livid enraged fuming pissed infuriated cross exasperated"), "anger"
    ),
    **dict.fromkeys(
        _SPLIT(
            "afraid scared terrified worried anxious nervous frightened petrified stressed fearful panicked uneasy apprehensive dreading tense"
        ),
        "fear",
    ),
    **dict.fromkeys(_SPLIT("disgusted grossed revolted repulsed sickened nauseated appalled"), "disgust"),
    **dict.fromkeys(
        _SPLIT("surprised shocked astonished amazed stunned astounded startled flabbergasted speechless dumbfounded"), "surprise"
    ),
    **dict.fromkeys(_SPLIT("calm"), "neutral"),
}
EMOTION_NOUNS = {
    "scare": "fear",
    "frighten": "fear",
    "terrify": "fear",
    "worry": "fear",
    "annoy": "anger",
    "anger": "anger",
    "infuriate": "anger",
    "frustrate": "anger",
    "upset": "sadness",
    "sadden": "sadness",
    "depress": "sadness",
    "disgust": "disgust",
    "excite": "joy",
    "thrill": "joy",
    "delight": "joy",
    "shock": "surprise",
    "surprise": "surprise",
}
MOVING_VERBS = {"worry": "fear", "dread": "fear", "panic": "fear", "fear": "fear", "grieve": "sadness", "mourn": "sadness"}
NOTICING = frozenset(_SPLIT("notice observe spot"))

# ── tasks ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

TASK_NOUNS = frozenset(
    _SPLIT(
        "task ticket project paperwork report booking reservation application draft chapter assignment homework migration refactor refactoring release deployment review renovation research essay thesis paper presentation proposal budget registration form contract order delivery repair installation setup upgrade update test testing feature bug fix issue job chore visa flight hotel payment invoice website design goal plan step trip move purchase survey audit backup document documentation analysis experiment training appointment room table ticket translation cleanup cleaning painting slide deck code build pull request script module shopping list packing inspection"
    )
)
IDLE_VERBS = frozenset(
    _SPLIT(
        "know see hear say tell think guess mention let thank keep look stay take be wonder believe imagine wait hang check enjoy talk chat share stop worry forget mind feel hope excuse forgive hold listen come give admit love like have agree do get go show make note understand remember ask ensure sound"
    )
)
NOT_WANTED = re.compile(
    r"\b(?:let (?:me|us) know|tell me|keep (?:me|us) (?:posted|updated)|thank you|congratulat|good luck|you|your|that sounds)\b"
)
STATUS_WORDS = (
    (
        r"(?:done|finished|complete(?:d)?|wrapped up|sorted(?: out)?|taken care of|ready|over with|closed|resolved|booked|submitted)\b",
        "completed",
    ),
    (r"(?:blocked|stuck|on hold|held up|paused|waiting|stalled|suspended|postponed)\b", "blocked"),
    (r"(?:cancell?ed|called off|off the table|dropped|scrapped|abandoned|no longer needed)\b", "cancelled"),
    (r"(?:in progress|underway|under way|ongoing|being worked on|half[- ]done|halfway|well underway)\b", "in_progress"),
    (r"(?:failed|a failure|unsuccessful)\b", "failed"),
    (r"(?:pending|not started|not done|still open|open|to do|outstanding)\b", "pending"),
)
STATUS_VERBS = {
    **dict.fromkeys(
        _SPLIT("finish complete book submit file send buy purchase order pay renew fix deliver resolve close schedule reserve register"),
        "completed",
    ),
    **dict.fromkeys(
        ["wrap up", "hand in", "turn in", "sort out", "sign up", "pick up", "drop off", "fill out", "pay off", "send off"], "completed"
    ),
    **dict.fromkeys(["cancel", "call off", "abandon", "give up", "drop", "scrap"], "cancelled"),
    **dict.fromkeys(["start", "begin"], "in_progress"),
    **dict.fromkeys(["fail", "postpone"], "failed"),
}
del STATUS_VERBS["postpone"], STATUS_VERBS["drop"], STATUS_VERBS["fail"]
CLOSED = frozenset(_SPLIT("finish complete submit")) | {"wrap up", "hand in", "sort out"}

RELATIVES = frozenset(
    _SPLIT(
        "uncle aunt cousin nephew niece grandmother grandfather grandma grandpa granny grandson granddaughter grandparent mother-in-law father-in-law brother-in-law sister-in-law godmother godfather neighbor neighbour boss manager landlord landlady teacher doctor dentist therapist mentor coach tutor supervisor ex assistant team company"
    )
)
"""Named after whose they are where no relation of the core says more."""

MISREAD = {
    "hates": "hate",
    "loves": "love",
    "hated": "hate",
    "loved": "love",
    "quit": "quit",
    "left": "leave",
    "found": "find",
    "founded": "found",
}
"""Verb forms that the tagger gives a wrong lemma."""

TASK_VERBS = frozenset(
    _SPLIT(
        "book buy order schedule send call find reserve cancel renew pay fix prepare draft write translate set add remind email pick register submit update change move arrange plan organise organize compare search track refund return repair install deploy upgrade print download upload compile transfer file clean cook bake water feed collect deliver post mail replace review finish complete text phone contact apply sign ship pack confirm reschedule research build create make turn charge back restart close open"
    )
)
"""Bare imperatives of these verbs are tasks; others are advice or cheering on."""
CHATTER_VERBS = frozenset(
    _SPLIT(
        "keep let cherish push strive stay grow inspire encourage motivate support celebrate live enjoy need continue appreciate embrace create explore remember reflect lend connect bond relax focus chase achieve dream face treat honor trust spread raise improve catch hang"
    )
)
EVALUATIVE = re.compile(
    r"^be (?:a |an |the )?(?:so |really |very |such |quite |pretty )?(?:a |an )?(?:incredible|amazing|great|hard|tough|nice|exciting|fun|rewarding|proud|happy|difficult|awesome|wonderful|so|really|very|such|quite|fantastic|beautiful|lovely|tired|exhausted|thrilled|excited|relieved|special|inspiring|challenging|scary|cool|delicious|good|bad|sad|frustrating|satisfying|stressful|worth|kidding|joking|nervous|wrong|right|true|mistaken|you|it|why|how|something|feeling|having|getting)\b",
    re.IGNORECASE,
)
