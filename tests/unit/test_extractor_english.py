"""What English turns teach, construct by construct, in sentences of our own."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

import pytest

from graphmem.language.extractor import RuleExtractor
from graphmem.model import Draft, Message, Role
from graphmem.ontology import Ontology
from graphmem.ports import Turn

SAID_AT = datetime(2026, 3, 10, 9, tzinfo=UTC)  # a Tuesday


@lru_cache(maxsize=1)
def extractor() -> RuleExtractor:
    return RuleExtractor(Ontology.core())


def learn(text: str, speaker: str = "Alice", previous: str | None = None, role: Role = "user") -> tuple[Draft, ...]:
    turn = Turn(Message(text, speaker, role=role), SAID_AT, speaker, previous=previous)
    return extractor().extract_now([turn])[0].drafts


def facts(text: str, speaker: str = "Alice") -> set[tuple[str, str, str]]:
    found = [draft.properties for draft in learn(text, speaker) if draft.type == "Fact" and draft.act == "state"]
    return {(str(slots["subject"]), str(slots["relation"]), str(slots["object"])) for slots in found}


FACTS = [
    ("I live in Lisbon with my wife Carla.", ("Alice", "lives_in", "Lisbon"), ("Alice", "married_to", "Carla")),
    ("My brother Paul relocated to Toronto in 2021.", ("Paul", "lives_in", "Toronto"), ("Alice", "sibling_of", "Paul")),
    ("Clara is based in Porto.", ("Clara", "lives_in", "Porto")),
    ("I work as a nurse at Saint Mary's Hospital.", ("Alice", "works_at", "Saint Mary's Hospital"), ("Alice", "job_title", "nurse")),
    ("Dev is a data scientist at Quantix.", ("Dev", "works_at", "Quantix"), ("Dev", "job_title", "data scientist")),
    ("Omar started working at Bluepeak on 1 March.", ("Omar", "works_at", "Bluepeak")),
    ("We hired Ken as head of design.", ("Ken", "job_title", "head of design")),
    ("I study chemistry at the University of Graz.", ("Alice", "studies_at", "University of Graz")),
    ("I was born on 4 July 1988.", ("Alice", "born_on", "1988-07-04")),
    ("My grandmother turned 90 yesterday.", ("Alice's grandmother", "age", "90")),
    ("My name is Marcus Bell.", ("Alice", "name", "Marcus Bell")),
    ("Everyone calls me Mack.", ("Alice", "nickname", "Mack")),
    ("Elizabeth goes by Liz.", ("Elizabeth", "nickname", "Liz")),
    ("My wife's name is Sofia.", ("Alice", "married_to", "Sofia")),
    ("I'm engaged to Paula.", ("Alice", "partner_of", "Paula")),
    ("Maria is Pedro's mother.", ("Maria", "parent_of", "Pedro")),
    ("Ben and Lucy are siblings.", ("Ben", "sibling_of", "Lucy")),
    ("I own a red bicycle and a sailboat.", ("Alice", "owns", "red bicycle"), ("Alice", "owns", "sailboat")),
    ("I have a dog named Biscuit.", ("Alice", "has_pet", "Biscuit")),
    ("Jonas has a peanut allergy.", ("Jonas", "allergic_to", "peanut")),
    ("Ana is fluent in Portuguese.", ("Ana", "speaks", "Portuguese")),
    ("Kim joined the chess club in September.", ("Kim", "member_of", "chess club")),
    ("Our headquarters are in Zurich.", ("headquarters", "located_in", "Zurich")),
    ("Northwind is a subsidiary of Helio Group.", ("Northwind", "part_of_org", "Helio Group")),
    ("Project Atlas is built with Django.", ("Project Atlas", "uses", "Django")),
    ("The billing service depends on Redis.", ("billing service", "depends_on", "Redis")),
    ("We upgraded Grafana to 10.2 yesterday.", ("Grafana", "version", "10.2")),
    ("The ticket costs 45 euros.", ("ticket", "price", "45 euros")),
    ("The price of the course rose to 400 dollars.", ("course", "price", "400 dollars")),
    ("My budget for the wedding is 20,000 dollars.", ("wedding", "budget", "20,000 dollars")),
    ("The report is due on Friday.", ("report", "deadline", "2026-03-13")),
    ("The deadline for the report was moved to 5 May.", ("report", "deadline", "2026-05-05")),
    ("The status of order 7712 is shipped.", ("order 7712", "status", "shipped")),
    ("The capital of Peru is Lima.", ("Lima", "capital_of", "Peru")),
    ("You can reach me at jo.park@example.com.", ("Alice", "email", "jo.park@example.com")),
    ("My address is 22 Baker Lane, Bristol.", ("Alice", "address", "22 Baker Lane, Bristol")),
    ("I play the drums and the guitar.", ("Alice", "plays", "drums"), ("Alice", "plays", "guitar")),
    ("Ada Lovelace wrote Notes on the Engine.", ("Ada Lovelace", "created", "Notes on the Engine")),
    ("The design team is led by Ingrid.", ("Ingrid", "manages", "design team")),
    ("I've been to Peru, Chile and Bolivia.", ("Alice", "visited", "Peru"), ("Alice", "visited", "Bolivia")),
    ("Julia took part in the city marathon last Sunday.", ("Julia", "attended", "city marathon")),
    ("I met Dana yesterday. She works at Lumen.", ("Dana", "works_at", "Lumen")),
    ("Jazz is my favourite kind of music.", ("Alice", "favorite", "Jazz")),
]


@pytest.mark.parametrize(("text", "expected"), [(text, set(expected)) for text, *expected in FACTS])
def test_what_is_asserted_becomes_triples(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert facts(text) >= expected


@pytest.mark.parametrize(
    "text",
    [
        "If I won the lottery, I'd buy a boat.",
        "Maybe Ana works at Siemens.",
        "I think Paul lives in Nice.",
        "I wish I had a cat.",
        "Suppose we lived in Tokyo.",
        "Does Karl speak French?",
        "Who manages the sales team?",
        "I don't own a car.",
        "I've never been to Japan.",
        "Nobody in my family plays chess.",
        "Someone told me that Eva left Google.",
        "She claims she speaks six languages.",
        "I almost bought a motorcycle.",
        "I might move to Austin.",
        "In the movie, the hero lives in Prague.",
        "I love your painting, it's so beautiful!",
        "Tell Bob I said hi.",
        "That's great news!",
        "It's raining cats and dogs.",
    ],
)
def test_what_is_not_asserted_teaches_nothing(text: str) -> None:
    assert learn(text) == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Lena no longer works for Kestrel.", "Kestrel"),
        ("I used to work at Finch & Co.", "Finch & Co."),
        ("I don't play tennis anymore.", "tennis"),
        ("I lived in Rome until 2018.", "Rome"),
        ("I quit my job at Harbor Media last week.", "Harbor Media"),
        ("I used to have a dog.", "dog"),
    ],
)
def test_what_is_over_ends(text: str, value: str) -> None:
    found = [draft for draft in learn(text) if draft.type == "Fact"]
    assert [(draft.act, draft.properties["object"]) for draft in found] == [("end", value)]
    assert found[0].valid_to is not None
    assert found[0].valid_to <= SAID_AT


@pytest.mark.parametrize(
    ("text", "thing", "polarity"),
    [
        ("I really enjoy hiking in the Alps.", "hiking in the Alps", "like"),
        ("My sister Anna hates olives.", "olives", "dislike"),
        ("I prefer tea to coffee.", "tea", "like"),
        ("I'd rather have the aisle seat.", "aisle seat", "like"),
        ("I'm not a fan of horror movies.", "horror movies", "dislike"),
        ("I can't stand traffic.", "traffic", "dislike"),
        ("Pedro loves Thai food.", "Thai food", "like"),
    ],
)
def test_tastes_have_a_polarity(text: str, thing: str, polarity: str) -> None:
    found = [draft.properties for draft in learn(text) if draft.type == "Preference"]
    assert [(slots["object"], slots["polarity"]) for slots in found] == [(thing, polarity)]


@pytest.mark.parametrize(
    ("text", "emotion", "trigger"),
    [
        ("I'm so excited about the concert next week!", "joy", "concert"),
        ("Lisa was furious that the train was late.", "anger", "train"),
        ("I feel lonely since Tom left.", "sadness", "Tom left"),
        ("The noise makes me angry.", "anger", "noise"),
        ("I'm worried about my exam.", "fear", "exam"),
        ("I was shocked by the news.", "surprise", "news"),
    ],
)
def test_feelings_have_a_trigger(text: str, emotion: str, trigger: str) -> None:
    (found,) = learn(text)
    assert (found.type, found.properties["emotion"]) == ("EmotionalState", emotion)
    assert trigger in found.properties["trigger"]


@pytest.mark.parametrize(
    ("text", "deadline"),
    [
        ("I have to submit the tax form by 30 April.", "2026-04-30"),
        ("Can you book a table for four on Friday?", "2026-03-13"),
        ("Could you remind me to call the dentist tomorrow?", "2026-03-11"),
        ("Don't forget to pay the electricity bill by Monday.", "2026-03-16"),
        ("I want to run a marathon next year.", "2027"),
        ("I plan to learn Italian.", None),
        ("Cancel my gym membership.", None),
    ],
)
def test_tasks_are_goals(text: str, deadline: str | None) -> None:
    (found,) = learn(text)
    assert (found.type, found.properties["status"], found.properties.get("deadline")) == ("Goal", "pending", deadline)


@pytest.mark.parametrize(
    ("text", "status", "hint"),
    [
        ("The bathroom renovation is on hold.", "blocked", "bathroom renovation"),
        ("The trip to Oslo has been cancelled.", "cancelled", "trip"),
        ("The website redesign is in progress.", "in_progress", "website redesign"),
        ("I booked the flight to Madrid.", "completed", "flight"),
        ("I'm done with chapter 3.", "completed", "chapter 3"),
    ],
)
def test_news_of_tasks_name_them(text: str, status: str, hint: str) -> None:
    (found,) = learn(text)
    assert (found.type, found.properties["status"], found.hint) == ("Goal", status, hint)


@pytest.mark.parametrize(
    ("text", "operator", "value", "unit"),
    [
        ("The trip must not exceed 2,000 euros.", "lte", 2000, "EUR"),
        ("Keep it under 500 dollars.", "lt", 500, "USD"),
        ("The account must hold at least 100 pounds.", "gte", 100, "GBP"),
        ("Maximum price: 80 euros.", "lte", 80, "EUR"),
        ("The room must have a balcony.", "must", "balcony", None),
        ("No shellfish, please.", "must_not", "shellfish", None),
        ("I can't eat gluten.", "must_not", "gluten", None),
    ],
)
def test_limits_are_constraints(text: str, operator: str, value: object, unit: str | None) -> None:
    (found,) = learn(text)
    slots = found.properties
    assert (found.type, slots["operator"], slots["value"], slots.get("unit")) == ("Constraint", operator, value, unit)


@pytest.mark.parametrize(
    "text",
    [
        "Always answer me in French.",
        "Never call me before 9 am.",
        "From now on, please use metric units.",
        "Please keep your answers short.",
        "Whenever I ask for code, write it in Python.",
    ],
)
def test_standing_orders_are_instructions(text: str) -> None:
    assert [draft.type for draft in learn(text)] == ["Instruction"]


def test_an_order_under_a_condition_is_a_rule() -> None:
    (found,) = learn("If the build fails, notify the on-call engineer.")
    assert (found.type, found.properties) == ("Rule", {"condition": "the build fails", "consequence": "notify the on-call engineer"})


def test_steps_hang_on_their_plan() -> None:
    plan, *steps = learn("First book the flight, then reserve the hotel, and finally pack the bags.")
    assert plan.type == "Plan"
    assert [(step.text, step.properties["order"]) for step in steps] == [
        ("book the flight", 1),
        ("reserve the hotel", 2),
        ("pack the bags", 3),
    ]
    assert {(link.type, link.target_index) for step in steps for link in step.links} == {("SUBTASK_OF", 0)}


def test_an_event_has_time_people_and_place() -> None:
    (found,) = learn("Yesterday I had lunch with Nora at Café Sol.")
    slots = found.properties
    assert (found.type, slots["participants"], slots["location"]) == ("Event", ("Alice", "Nora"), "Café Sol")
    assert slots["time"].start == datetime(2026, 3, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "hour"),
    [("The review is at 2 pm tomorrow. Sorry, I mean 3 pm.", 15), ("My flight is tomorrow at 6:30. No, wait, it's 7:15.", 7)],
)
def test_only_the_corrected_value_is_learned(text: str, hour: int) -> None:
    (found,) = learn(text)
    assert found.properties["time"].start.hour == hour


def test_a_correction_of_the_turn_before_corrects_it() -> None:
    (found,) = learn("Sorry, I meant Leeds.", previous="I live in Bradford.")
    assert (found.act, found.properties["object"]) == ("correct", "Leeds")


def test_a_pronoun_means_somebody_of_the_turn_before() -> None:
    (found,) = learn("She lives in Graz.", previous="I talked to Olivia yesterday.")
    assert (found.properties["subject"], found.properties["object"]) == ("Olivia", "Graz")


def test_names_in_the_turn_are_mentioned() -> None:
    (found,) = extractor().extract_now([Turn(Message("Nadia moved to Oslo.", "Alice"), SAID_AT, "Alice")])
    assert dict(found.mentions).keys() >= {"Nadia", "Oslo"}


def test_every_draft_shows_its_evidence() -> None:
    text = "By the way, I live in Lisbon and my cat is called Miso."
    for draft in learn(text):
        assert draft.evidence is not None
        assert draft.extractor == "rules"
        assert draft.confidence is not None
        assert text[slice(*draft.evidence)].strip() == draft.text
