import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.core.understanding import HARD, Evidence, asked_part, limit, needs_prototypes, understand
from graphmem.core.understanding_names import MOST_NAMES, Known, candidates, longest, without_names
from graphmem.errors import OntologyError
from graphmem.model import Entity
from graphmem.ontology import Ontology
from graphmem.temporal import Interval
from graphmem.text import fold

CORE = Ontology.core()
OPEN = ("pending", "in_progress", "blocked")
NOW = datetime(2026, 11, 30, 10, 30, tzinfo=UTC)
DAY = Interval(NOW - timedelta(days=1), NOW)

SURE = {
    "Goal": [
        "What's left on my plate?",
        "Which errands are overdue?",
        "哪些任务已经取消了？",
        "关于搬家还有什么要做？",
        "还有哪些东西没买？",
    ],
    "Plan": ["What's our plan for the launch?", "How will the move be organised?", "搬家的方案是什么？"],
    "Step": ["What is the second step of the migration?", "What should I do next?", "部署一共分几步？"],
    "Event": ["What happened at the wedding?", "Which trips did we take in 2024?", "婚礼上发生了什么事？", "明年的活动有哪些？"],
    "Preference": ["Does Nora prefer trains or planes?", "Is she a fan of jazz?", "小林爱吃什么水果？", "他讨厌什么？"],
    "EmotionalState": ["How did he feel after the exam?", "Why is he so angry?", "What worries her?", "小林考完试心情怎么样？"],
    "Constraint": ["How late may we play music?", "Which foods should she avoid?", "酒店最多能花多少钱？", "晚上几点以后不许放音乐？"],
    "Rule": ["What happens if a parcel arrives late?", "什么情况下可以退款？", "包裹晚到了怎么办？"],
    "Instruction": ["How should you write my reports?", "我让你以后怎么称呼我？"],
    "Summary": ["Give me a recap of the week.", "总结一下上个月"],
    "DialogueAct": ["Which questions did I ask yesterday?", "小林问过什么问题？"],
    "Observation": ["What did you notice about the router?", "关于路由器有哪些观察？"],
    "ContextualFrame": ["Which scenario are we in?", "我们在扮演什么？"],
    "Episode": ["What were her exact words?", "他的原话是什么？"],
}
LIKELY = {
    "Fact": ["What is his phone number?", "How much does the event cost?", "面包店的老板是谁？", "活动的地址在哪里？"],
    "Event": ["When did Nora fly to Oslo?", "Who did she meet there?", "热水器是哪天修好的？", "他在上海见了谁？"],
    "Episode": ["What did the plumber say?", "水管工说了什么？"],
}
PLAIN = [
    "Okay, thanks.",
    "Tell me a story.",
    "Why?",
    "And then?",
    "Can you explain that again?",
    "你好",
    "继续",
    "那后来呢？",
    "没什么",
    "我想想",
]


@pytest.mark.parametrize(("type_", "query"), [(type_, query) for type_, queries in SURE.items() for query in queries])
def test_a_clear_question_restricts_the_types(type_: str, query: str) -> None:
    plan = understand(query, CORE, Evidence())
    assert type_ in plan.types
    assert plan.confidence["types"] >= HARD
    assert any(reason.startswith(type_) for reason in plan.reasons)


@pytest.mark.parametrize(("type_", "query"), [(type_, query) for type_, queries in LIKELY.items() for query in queries])
def test_a_likely_one_only_weighs(type_: str, query: str) -> None:
    plan = understand(query, CORE, Evidence())
    assert type_ in plan.types
    assert plan.confidence["types"] < HARD


@pytest.mark.parametrize("query", PLAIN)
def test_a_plain_one_asks_for_nothing(query: str) -> None:
    plan = understand(query, CORE, Evidence())
    assert (plan.types, plan.status, plan.time, plan.entities, plan.order, plan.limit) == ((), (), None, (), None, None)
    assert not needs_prototypes(query, (), CORE) or len(query) > 4


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("Which tasks are still open?", OPEN),
        ("What haven't we finished? List the tasks.", OPEN),
        ("還沒完成的任務有哪些？", OPEN),
        ("List the tasks that have not been started yet.", ("pending",)),
        ("正在进行的任务有哪些？", ("in_progress",)),
        ("Which tasks are stuck?", ("blocked",)),
        ("What tasks did we complete? Show the completed ones.", ("completed",)),
        ("失败的任务", ("failed",)),
        ("List all cancelled goals.", ("cancelled",)),
        ("Which of our plans are cancelled?", ("cancelled",)),
        ("Is the passport task done?", ()),
        ("护照的任务办好了吗？", ()),
        ("Was the flight cancelled?", ()),
    ],
)
def test_tasks_are_asked_for_by_status(query: str, status: tuple[str, ...]) -> None:
    plan = understand(query, CORE, Evidence())
    assert plan.status == status
    assert not status or "Goal" not in plan.types or set(plan.types) >= {"Goal", "Plan", "Step"}


@pytest.mark.parametrize(
    ("query", "order", "count", "history"),
    [
        ("List my tasks by due date", "deadline", None, False),
        ("What are the three most urgent tasks?", "deadline", 3, False),
        ("前三个最紧急的任务", "deadline", 3, False),
        ("Show me the latest five events", "newest", 5, False),
        ("最早的两条记录", "oldest", 2, False),
        ("What happened in the last 3 days?", None, None, False),
        ("列出三个月的账单", None, None, False),
        ("Show 900 tasks", None, None, False),
        ("How has the rent changed over time?", None, None, True),
        ("他以前住在哪里？", None, None, True),
    ],
)
def test_order_number_and_history(query: str, order: str | None, count: int | None, history: bool) -> None:
    plan = understand(query, CORE, Evidence())
    assert (plan.order, plan.limit, plan.history) == (order, count, history)


def test_the_head_of_the_question_says_what_is_asked_for() -> None:
    assert understand("Which tasks make him nervous?", CORE, Evidence()).types == ("Goal",)
    assert understand("任务失败以后他的心情如何？", CORE, Evidence()).types == ("EmotionalState",)
    assert set(understand("What is her favourite colour?", CORE, Evidence()).types) == {"Preference"}


@pytest.mark.parametrize(("query", "sure"), [("What happened yesterday?", True), ("How is she?", False), ("Which tasks are there?", False)])
def test_a_time_is_sure_for_what_happens_at_times(query: str, sure: bool) -> None:
    plan = understand(query, CORE, Evidence(window=(DAY, "yesterday → 2026-11-29")))
    assert plan.time == DAY
    assert (plan.confidence["time"] >= HARD) is sure


# ── names ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def entity(name: str, *aliases: str, kind: str = "Thing") -> Entity:
    return Entity(id=name, user_id="u", name=name, kind=kind, aliases=aliases)


@pytest.mark.parametrize(
    ("query", "entities", "names"),
    [
        ("Where is the Friday Club?", [entity("Friday Club"), entity("Friday")], ["Friday Club"]),
        ("把张三提到的产品A找出来", [entity("产品A"), entity("张三"), entity("产品")], ["张三", "产品A"]),
        ("How is nora's bike?", [entity("Nora")], ["Nora"]),
        ("What about Bob and bobby?", [entity("Robert", "Bob", "Bobby")], ["Robert"]),
        ("陳晨喜歡什麼?", [entity("陈晨")], ["陈晨"]),
        ("what will happen in May?", [entity("Will"), entity("May")], ["May"]),
        ("What will happen?", [entity("Will")], []),
        ("who is will", [entity("Will")], ["Will"]),
        ("Does The Red Kettle open?", [entity("The Red Kettle")], ["The Red Kettle"]),
    ],
)
def test_the_longest_known_names_are_found(query: str, entities: list[Entity], names: list[str]) -> None:
    found = longest(query, candidates(fold(query)), entities)
    assert [known.entity.name for known in found] == names


def test_grammar_is_no_name_and_long_texts_stay_cheap() -> None:
    assert not {"what is", "the", "我"} & set(candidates("what is the 我 plan"))
    assert len(candidates(" ".join(f"w{i}" for i in range(5000)))) == MOST_NAMES


@pytest.mark.parametrize(
    ("query", "name", "kind"),
    [
        ("Where does Max Budget live?", "Max Budget", "Thing"),
        ("where does joy live?", "joy", "Person"),
        ("高兴住在哪里？", "高兴", "Person"),
    ],
)
def test_names_are_no_cues(query: str, name: str, kind: str) -> None:
    text = fold(query)
    start = text.index(fold(name))
    known = Known(entity(name, kind=kind), start, start + len(name))
    assert fold(name) not in without_names(query, [known])
    assert "Fact" in understand(query, CORE, Evidence(names=[known])).types


def test_a_common_noun_stays_a_cue() -> None:
    known = Known(entity("budget"), 12, 18)
    assert without_names("What is the budget?", [known]) == "what is the budget?"
    assert without_names("Budget of what?", [Known(entity("budget"), 0, 6)]) == "budget of what?"


# ── nearness ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

ODD = "Anything odd about the fridge"


@pytest.mark.parametrize(
    ("similarities", "types"),
    [
        ({"Observation": 0.7, "Event": 0.4}, ("Observation",)),
        ({"Observation": 0.7}, ("Observation",)),
        ({"Observation": 0.7, "Event": 0.65}, ()),
        ({"Observation": 0.4, "Event": 0.1}, ()),
        ({"Summary": 0.9, "Event": 0.1}, ()),
        ({}, ()),
    ],
)
def test_clear_nearness_hints_at_a_type(similarities: dict[str, float], types: tuple[str, ...]) -> None:
    assert needs_prototypes(ODD, (), CORE)
    assert understand(ODD, CORE, Evidence(similarities=similarities)).types == types


def test_a_users_type_without_cues_may_be_meant_by_a_weak_one() -> None:
    prototypes = "prototypes:\n      en: |\n        What might explain it?\n        Which guess is it?\n"
    own = Ontology.load(f"extends: core@1\nname: lab\ntypes:\n  Hypothesis:\n    {prototypes}")
    query = "What is it that might explain the noise"
    assert not needs_prototypes(query, (), CORE)
    assert needs_prototypes(query, (), own)
    assert understand(query, own, Evidence(similarities={"Hypothesis": 0.8, "Fact": 0.2})).types == ("Hypothesis",)


def test_own_cues_join_those_of_the_core_and_must_be_patterns() -> None:
    shop = "extends: core@1\nname: shop\ntypes:\n  Goal:\n    cues:\n      sure: |\n        "
    own = Ontology.load(shop + "\\bparcels?\\b\ncues:\n  plain: |\n    ^yo$\n")
    assert understand("Any parcels?", own, Evidence()).types == ("Goal",)
    assert understand("Which errands?", own, Evidence()).types == ("Goal",)
    with pytest.raises(OntologyError, match="no regular expression"):
        Ontology.load(shop + "(\n")


# ── any text ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@given(st.text(max_size=80))
def test_any_text_gives_a_plan_of_known_types(text: str) -> None:
    plan = understand(text, CORE, Evidence())
    assert set(plan.types) <= set(CORE.types)
    assert plan.limit is None or plan.limit > 0
    assert all(0 <= value <= 1 for value in plan.confidence.values())


def test_a_long_text_costs_no_more_than_a_short_one() -> None:
    text = "who what did you not have to do when " * 3000
    understand("who what did 谁", CORE, Evidence())
    started = time.perf_counter()
    understand(text, CORE, Evidence())
    assert time.perf_counter() - started < 2
    assert len(asked_part(text)) < 700
    assert limit("top 0", CORE) is None
