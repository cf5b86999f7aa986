"""What Chinese turns teach, construct by construct, in sentences of our own."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

import pytest

from graphmem.language.extractor import RuleExtractor
from graphmem.model import Draft, Message
from graphmem.ontology import Ontology
from graphmem.ports import Turn

SAID_AT = datetime(2026, 3, 10, 9, tzinfo=UTC)  # a Tuesday


@lru_cache(maxsize=1)
def extractor() -> RuleExtractor:
    return RuleExtractor(Ontology.core())


def learn(text: str, previous: str | None = None) -> tuple[Draft, ...]:
    return extractor().extract_now([Turn(Message(text, "李娜"), SAID_AT, "李娜", previous=previous)])[0].drafts


def facts(text: str) -> set[tuple[str, str, str]]:
    found = [draft.properties for draft in learn(text) if draft.type == "Fact" and draft.act == "state"]
    return {(str(slots["subject"]), str(slots["relation"]), str(slots["object"])) for slots in found}


FACTS = [
    ("我弟弟张磊去年搬到了深圳。", ("张磊", "lives_in", "深圳"), ("李娜", "sibling_of", "张磊")),
    ("我从2019年起住在厦门。", ("李娜", "lives_in", "厦门")),
    ("我刚从武汉搬到长沙。", ("李娜", "lives_in", "长沙")),
    ("我在云海医院当护士。", ("李娜", "works_at", "云海医院"), ("李娜", "job_title", "护士")),
    ("李明是星辰科技的产品经理。", ("李明", "works_at", "星辰科技"), ("李明", "job_title", "产品经理")),
    ("小陈上个月升任技术总监。", ("小陈", "job_title", "技术总监")),
    ("王芳3月1日入职了晨光集团。", ("王芳", "works_at", "晨光集团")),
    ("我在南京大学读计算机。", ("李娜", "studies_at", "南京大学")),
    ("我出生于1988年7月4日。", ("李娜", "born_on", "1988-07-04")),
    ("我奶奶九十岁了。", ("李娜的奶奶", "age", "九十岁")),
    ("大家都叫我老马。", ("李娜", "nickname", "老马")),
    ("我老婆叫林芳。", ("李娜", "married_to", "林芳")),
    ("我和苏菲2015年6月结婚了。", ("李娜", "married_to", "苏菲")),
    ("小李和小王是好朋友。", ("小李", "friend_of", "小王")),
    ("陈浩是我同事。", ("李娜", "colleague_of", "陈浩")),
    ("我有两个妹妹，叫小雨和小雪。", ("李娜", "sibling_of", "小雨"), ("李娜", "sibling_of", "小雪")),
    ("张丽是王磊的妈妈。", ("张丽", "parent_of", "王磊")),
    ("我有一辆红色的自行车。", ("李娜", "owns", "红色的自行车")),
    ("我家养了一只狗，叫旺财。", ("李娜", "has_pet", "旺财")),
    ("我儿子对花生过敏。", ("李娜的儿子", "allergic_to", "花生")),
    ("我会说西班牙语和一点荷兰语。", ("李娜", "speaks", "西班牙语"), ("李娜", "speaks", "荷兰语")),
    ("我是滨江跑步俱乐部的会员。", ("李娜", "member_of", "滨江跑步俱乐部")),
    ("我们公司的总部在苏州。", ("公司的总部", "located_in", "苏州")),
    ("北风科技是海力集团的子公司。", ("北风科技", "part_of_org", "海力集团")),
    ("后端团队改用Rust了。", ("后端团队", "uses", "Rust")),
    ("计费服务依赖Redis。", ("计费服务", "depends_on", "Redis")),
    ("我们昨天把Grafana升级到了10.2。", ("Grafana", "version", "10.2")),
    ("这款耳机售价899元。", ("耳机", "price", "899元")),
    ("婚礼的预算是二十万元。", ("婚礼", "budget", "二十万元")),
    ("初稿的截止时间改到5月5日了。", ("初稿", "deadline", "2026-05-05")),
    ("订单7712的状态是已发货。", ("订单7712", "status", "已发货")),
    ("堪培拉是澳大利亚的首都。", ("堪培拉", "capital_of", "澳大利亚")),
    ("我的地址是滨河路22号。", ("李娜", "address", "滨河路22号")),
    ("我会弹钢琴，也会打羽毛球。", ("李娜", "plays", "钢琴"), ("李娜", "plays", "羽毛球")),
    ("鲁晓写了《海边的夏天》。", ("鲁晓", "created", "海边的夏天")),
    ("设计组由英格丽负责。", ("英格丽", "manages", "设计组")),
    ("我去过摩洛哥两次。", ("李娜", "visited", "摩洛哥")),
    ("小周上周日参加了马拉松。", ("小周", "attended", "马拉松")),
    ("爵士乐是我最喜欢的音乐。", ("李娜", "favorite", "爵士乐")),
    ("小山说他住在都柏林。", ("小山", "lives_in", "都柏林")),
    ("我住在臺北，在春風書店工作。", ("李娜", "lives_in", "臺北"), ("李娜", "works_at", "春風書店")),
]


@pytest.mark.parametrize(("text", "expected"), [(text, set(expected)) for text, *expected in FACTS])
def test_what_is_asserted_becomes_triples(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert facts(text) >= expected


@pytest.mark.parametrize(
    "text",
    [
        "如果我中了彩票，我就买一艘船。",
        "可能小安在西门子工作。",
        "我觉得小保住在尼斯。",
        "要是我有一只猫就好了。",
        "卡尔会说法语吗？",
        "谁负责销售团队？",
        "我没有车。",
        "我从来没去过日本。",
        "听说小伊离开谷歌了。",
        "我差点买了摩托车。",
        "电影里主角住在布拉格。",
        "她定居在大连，在一家银行工作。",
        "好的，知道了。",
    ],
)
def test_what_is_not_asserted_teaches_nothing(text: str) -> None:
    assert learn(text) == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("我不再在蓝鲸软件工作了。", "蓝鲸软件"),
        ("我以前在方舟传媒上班。", "方舟传媒"),
        ("我上周从远景公司辞职了。", "远景公司"),
        ("我已经不打网球了。", "网球"),
        ("我小时候养过一只狗。", "狗"),
    ],
)
def test_what_is_over_ends(text: str, value: str) -> None:
    (found,) = learn(text)
    assert (found.act, found.properties["object"]) == ("end", value)
    assert found.valid_to is not None
    assert found.valid_to <= SAID_AT


@pytest.mark.parametrize(
    ("text", "thing", "polarity"),
    [
        ("我特别喜欢吃火锅。", "吃火锅", "like"),
        ("我妹妹讨厌香菜。", "香菜", "dislike"),
        ("比起咖啡我更喜欢茶。", "茶", "like"),
        ("我不太喜欢看恐怖片。", "看恐怖片", "dislike"),
        ("我对摄影很感兴趣。", "摄影", "like"),
        ("我受不了榴莲的味道。", "榴莲的味道", "dislike"),
    ],
)
def test_tastes_have_a_polarity(text: str, thing: str, polarity: str) -> None:
    (found,) = learn(text)
    assert (found.type, found.properties["object"], found.properties["polarity"]) == ("Preference", thing, polarity)


@pytest.mark.parametrize(
    ("text", "emotion", "trigger"),
    [
        ("火车晚点了，小丽非常生气。", "anger", "火车"),
        ("邻居装修的噪音让我很烦躁。", "anger", "噪音"),
        ("我很担心下周的考试。", "fear", "考试"),
        ("听到这个消息我很震惊。", "surprise", "消息"),
        ("厨房太脏了，真恶心。", "disgust", "厨房"),
    ],
)
def test_feelings_have_a_trigger(text: str, emotion: str, trigger: str) -> None:
    (found,) = learn(text)
    assert (found.type, found.properties["emotion"]) == ("EmotionalState", emotion)
    assert trigger in found.properties["trigger"]


@pytest.mark.parametrize(
    ("text", "deadline"),
    [
        ("我得在4月30日之前提交报税表。", "2026-04-30"),
        ("能不能提醒我明天给牙医打电话？", "2026-03-11"),
        ("别忘了周一之前交电费。", "2026-03-16"),
        ("我想明年跑一次马拉松。", "2027"),
        ("我计划学意大利语。", None),
    ],
)
def test_tasks_are_goals(text: str, deadline: str | None) -> None:
    (found,) = learn(text)
    assert (found.type, found.properties["status"], found.properties.get("deadline")) == ("Goal", "pending", deadline)


@pytest.mark.parametrize(
    ("text", "status", "hint"),
    [
        ("季度报告写完了。", "completed", "季度报告"),
        ("浴室装修暂停了。", "blocked", "浴室装修"),
        ("去大理的旅行取消了。", "cancelled", "去大理的旅行"),
        ("网站改版正在进行中。", "in_progress", "网站改版"),
        ("数据迁移任务失败了。", "failed", "数据迁移"),
    ],
)
def test_news_of_tasks_name_them(text: str, status: str, hint: str) -> None:
    (found,) = learn(text)
    assert (found.type, found.properties["status"], found.hint) == ("Goal", status, hint)


@pytest.mark.parametrize(
    ("text", "operator", "value", "unit"),
    [
        ("预算不能超过5000元。", "lte", 5000, "CNY"),
        ("酒店每晚最多600块。", "lte", 600, "CNY"),
        ("至少要三间卧室。", "gte", 3, None),
        ("会议室必须有投影仪。", "must", "有投影仪", None),
        ("菜里不要放辣椒。", "must_not", "辣椒", None),
        ("我不能吃海鲜。", "must_not", "海鲜", None),
    ],
)
def test_limits_are_constraints(text: str, operator: str, value: object, unit: str | None) -> None:
    (found,) = learn(text)
    slots = found.properties
    assert (found.type, slots["operator"], slots["value"], slots.get("unit")) == ("Constraint", operator, value, unit)


@pytest.mark.parametrize("text", ["以后请用英文回答我。", "每次回答都要简短。", "不要再给我发语音。"])
def test_standing_orders_are_instructions(text: str) -> None:
    assert [draft.type for draft in learn(text)] == ["Instruction"]


def test_an_order_under_a_condition_is_a_rule() -> None:
    (found,) = learn("如果温度超过30度，就打开空调。")
    assert (found.type, found.properties) == ("Rule", {"condition": "温度超过30度", "consequence": "打开空调"})


def test_steps_hang_on_their_plan() -> None:
    plan, *steps = learn("先订机票，再订酒店，最后办签证。")
    assert plan.type == "Plan"
    assert [(step.text, step.properties["order"]) for step in steps] == [("订机票", 1), ("订酒店", 2), ("办签证", 3)]
    assert {(link.type, link.target_index) for step in steps for link in step.links} == {("SUBTASK_OF", 0)}


def test_an_event_has_time_people_and_place() -> None:
    (found,) = learn("昨天我和诺拉在阳光咖啡馆吃了午饭。")
    slots = found.properties
    assert (found.type, slots["participants"], slots["location"]) == ("Event", ("李娜", "诺拉"), "阳光咖啡馆")
    assert slots["time"].start == datetime(2026, 3, 9, tzinfo=UTC)


def test_a_move_is_news_of_the_event() -> None:
    (found,) = learn("会议改到下午三点了。")
    assert (found.type, found.update, found.hint, found.properties["time"].start.hour) == ("Event", True, "会议", 15)


@pytest.mark.parametrize(
    ("text", "previous", "act"),
    [("我住在北京，不对，是上海。", None, "state"), ("不对，是上海。", "我住在北京。", "correct")],
)
def test_only_the_corrected_value_is_learned(text: str, previous: str | None, act: str) -> None:
    (found,) = learn(text, previous)
    assert (found.act, found.properties["object"]) == (act, "上海")


def test_a_pronoun_means_somebody_of_the_turn_before() -> None:
    (found,) = learn("她住在青岛。", "昨天我见了王晓燕。")
    assert (found.properties["subject"], found.properties["object"]) == ("王晓燕", "青岛")


def test_a_turn_in_two_languages_is_read_sentence_by_sentence() -> None:
    assert facts("我住在苏州。My brother Leo lives in Turin.") >= {("李娜", "lives_in", "苏州"), ("Leo", "lives_in", "Turin")}
