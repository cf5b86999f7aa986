"""Thirty days of one person with three tasks at once, in two languages: what is learned, how it changes, what is chatted in between, what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from graphmem.model import NOTHING


class Row(NamedTuple):
    """One thing learned on a day; `part` is what it belongs to, `replaces` the label that it takes the place of."""

    label: str
    type: str
    texts: tuple[str, str]
    day: int
    part: str = ""
    slots: Mapping[str, Any] = NOTHING
    replaces: str = ""
    caused_by: str = ""


class Point(NamedTuple):
    """A decision on a day: the question, and the labels of what must be at hand; `rule` names a limit that the decision is taken by."""

    day: int
    questions: tuple[str, str]
    keys: tuple[str, ...]
    rule: str = ""


def _claim(subject: str, relation: str, value: str) -> dict[str, Any]:
    return {"subject": subject, "relation": relation, "object": value}


def _limit(attribute: str, operator: str, value: float, unit: str) -> dict[str, Any]:
    return {"attribute": attribute, "operator": operator, "value": value, "unit": unit}


OPEN, DOING = {"status": "pending"}, {"status": "in_progress"}
ROWS: tuple[Row, ...] = (
    Row("shop", "Goal", ("Open the bicycle repair shop", "开一家自行车修理铺"), 1, slots=DOING),
    Row("shop plan", "Plan", ("Plan for the bicycle repair shop", "自行车修理铺的开业计划"), 1, "shop", DOING),
    Row("room", "Step", ("Rent a room for the bicycle shop", "给自行车铺租好店面"), 2, "shop plan", {"order": 1, **DOING}),
    Row("loan", "Step", ("Get the loan for the bicycle shop", "办好自行车铺的贷款"), 2, "shop plan", {"order": 2, **OPEN}),
    Row("tools", "Step", ("Buy the tools for the bicycle shop", "买齐自行车铺的工具"), 2, "shop plan", {"order": 3, **OPEN}),
    Row("rent limit", "Constraint", ("The rent of the bicycle shop must stay below 900 euros", "自行车铺的月租必须低于900欧元"), 3, "shop",
        _limit("rent", "lt", 900, "EUR")),
    Row("mill", "Fact", ("The room on Mill Street costs 850 euros rent", "磨坊街的店面月租850欧元"), 4, "room",
        _claim("Mill Street room", "rent", "850")),
    Row("dock", "Fact", ("The room on Dock Road costs 980 euros rent", "码头路的店面月租980欧元"), 4, "room",
        _claim("Dock Road room", "rent", "980")),
    Row("mill dearer", "Fact", ("The room on Mill Street costs 920 euros rent", "磨坊街的店面月租920欧元"), 14, "room",
        _claim("Mill Street room", "rent", "920"), "mill"),
    Row("interest", "Fact", ("The bank asks 4.2 percent interest for the shop loan", "银行对店铺贷款收4.2%的利息"), 9, "loan",
        _claim("shop loan", "interest", "4.2 %")),
    Row("burst", "Event", ("A pipe burst in the room of the bicycle shop", "自行车铺店面的水管爆了"), 21, "shop", {"event_type": "accident"}),
    Row("delay", "Event", ("The opening of the bicycle shop was put off", "自行车铺的开业推迟了"), 22, "shop", {"event_type": "delay"},
        caused_by="burst"),
    Row("race", "Goal", ("Run the half marathon in autumn", "跑完秋天的半程马拉松"), 1, slots=DOING),
    Row("race plan", "Plan", ("Training plan for the half marathon", "半程马拉松的训练计划"), 1, "race", DOING),
    Row("entry", "Step", ("Register for the half marathon", "报名半程马拉松"), 2, "race plan", {"order": 1, **OPEN}),
    Row("shoes", "Step", ("Buy shoes for the half marathon", "买跑半程马拉松的鞋"), 2, "race plan", {"order": 2, **DOING}),
    Row("long run", "Step", ("Run 18 km once before the half marathon", "半程马拉松前跑一次18公里"), 2, "race plan", {"order": 3, **OPEN}),
    Row("shoe limit", "Constraint", ("The running shoes may cost at most 150 euros", "跑鞋最多花150欧元"), 3, "race",
        _limit("shoe_price", "lte", 150, "EUR")),
    Row("swift", "Fact", ("The running shoes Swift cost 140 euros", "雨燕跑鞋卖140欧元"), 5, "shoes", _claim("Swift", "shoe_price", "140")),
    Row("cloud", "Fact", ("The running shoes Cloud cost 175 euros", "云朵跑鞋卖175欧元"), 5, "shoes", _claim("Cloud", "shoe_price", "175")),
    Row("fee", "Fact", ("The entry fee of the half marathon is 45 euros", "半程马拉松的报名费是45欧元"), 6, "entry",
        _claim("half marathon", "entry_fee", "45")),
    Row("twelve", "Fact", ("The longest training run was 12 km", "最长的一次训练跑了12公里"), 8, "race",
        _claim("training", "longest_run", "12 km")),
    Row("sixteen", "Fact", ("The longest training run was 16 km", "最长的一次训练跑了16公里"), 19, "race",
        _claim("training", "longest_run", "16 km"), "twelve"),
    Row("stairs", "Event", ("The runner slipped on the stairs while training", "训练时在楼梯上滑了一跤"), 11, "race", {"event_type": "accident"}),
    Row("pause", "Event", ("The half marathon training paused for a week", "半程马拉松的训练停了一周"), 12, "race", {"event_type": "pause"},
        caused_by="stairs"),
    Row("concert", "Goal", ("Organise the choir concert", "办好合唱团的音乐会"), 1, slots=DOING),
    Row("concert plan", "Plan", ("Plan for the choir concert", "合唱音乐会的筹备计划"), 1, "concert", DOING),
    Row("hall", "Step", ("Book a hall for the choir concert", "订好合唱音乐会的场地"), 2, "concert plan", {"order": 1, **DOING}),
    Row("posters", "Step", ("Print the posters for the choir concert", "印好合唱音乐会的海报"), 2, "concert plan", {"order": 2, **OPEN}),
    Row("rehearsal", "Step", ("Hold the dress rehearsal of the choir concert", "合唱音乐会带妆彩排"), 2, "concert plan", {"order": 3, **OPEN}),
    Row("seat limit", "Constraint", ("The hall of the choir concert must have at least 200 seats", "合唱音乐会的场地至少要有200个座位"), 3,
        "concert", _limit("seats", "gte", 200, "seats")),
    Row("town", "Fact", ("The town hall has 180 seats", "市政厅有180个座位"), 5, "hall", _claim("town hall", "seats", "180")),
    Row("anne", "Fact", ("Saint Anne's church has 240 seats", "圣安妮教堂有240个座位"), 5, "hall", _claim("Saint Anne's church", "seats", "240")),
    Row("print", "Fact", ("The printer asks 60 euros for the concert posters", "印刷店印音乐会海报要60欧元"), 10, "posters",
        _claim("concert posters", "price", "60")),
    Row("ill", "Event", ("The pianist of the choir fell ill", "合唱团的钢琴师病了"), 24, "concert", {"event_type": "illness"}),
    Row("moved", "Event", ("The dress rehearsal of the choir was moved", "合唱团的彩排改期了"), 25, "concert", {"event_type": "change"},
        caused_by="ill"),
)  # fmt: skip
STATUS: tuple[tuple[int, str, str], ...] = (
    (7, "shoes", "completed"),
    (9, "entry", "in_progress"),
    (13, "hall", "completed"),
    (13, "posters", "in_progress"),
    (17, "loan", "in_progress"),
    (18, "entry", "completed"),
    (20, "long run", "in_progress"),
    (26, "room", "completed"),
)
POINTS: tuple[Point, ...] = (
    Point(6, ("Which room can we rent for the bicycle shop?", "自行车铺租哪个店面合适？"), ("rent limit", "mill", "dock"), "rent"),
    Point(6, ("Which running shoes should I buy?", "跑鞋买哪双好？"), ("shoe limit", "swift", "cloud"), "shoe_price"),
    Point(7, ("Which hall fits the choir concert?", "合唱音乐会订哪个场地合适？"), ("seat limit", "town", "anne"), "seats"),
    Point(8, ("How far along is the bicycle shop?", "自行车铺筹备到哪一步了？"), ("shop", "room", "loan", "tools", "rent limit")),
    Point(9, ("How high is the entry fee of the half marathon?", "半程马拉松的报名费是多少？"), ("fee",)),
    Point(10, ("What is left to do for the half marathon?", "半程马拉松还有什么没准备？"), ("race", "entry", "long run")),
    Point(10, ("What interest does the bank ask for the shop loan?", "店铺贷款的利息是多少？"), ("interest",)),
    Point(12, ("Why did the half marathon training pause?", "半程马拉松的训练为什么停了？"), ("stairs", "pause")),
    Point(13, ("How is the choir concert coming along?", "合唱音乐会筹备得怎么样了？"), ("concert", "hall", "posters", "rehearsal")),
    Point(15, ("Can we still afford the room on Mill Street for the bicycle shop?", "磨坊街的店面租金还在自行车铺的预算内吗？"),
          ("rent limit", "mill dearer"), "rent"),
    Point(16, ("What do the concert posters cost?", "音乐会海报印刷要多少钱？"), ("print",)),
    Point(17, ("What comes next for the bicycle shop?", "自行车铺接下来要做什么？"), ("shop", "room", "loan", "tools")),
    Point(19, ("How long was the longest training run?", "最长的一次训练跑了多远？"), ("sixteen",)),
    Point(20, ("Where do we stand with the half marathon?", "半程马拉松准备到哪一步了？"), ("race", "long run", "sixteen")),
    Point(22, ("Why was the opening of the bicycle shop put off?", "自行车铺的开业为什么推迟？"), ("burst", "delay")),
    Point(23, ("What is the status of the choir concert?", "合唱音乐会的进展如何？"), ("concert", "posters", "rehearsal")),
    Point(25, ("Why was the dress rehearsal of the choir moved?", "合唱团的彩排为什么改期？"), ("ill", "moved")),
    Point(27, ("What still needs to be done for the bicycle shop?", "自行车铺还差哪些事没做？"), ("shop", "loan", "tools")),
    Point(28, ("How many seats must the hall of the choir concert have?", "合唱音乐会的场地至少要多少座位？"), ("seat limit",)),
    Point(30, ("How is the half marathon going?", "半程马拉松的进度怎么样？"), ("race", "long run", "sixteen")),
)  # fmt: skip
WHO = (
    ("My cousin", "我表哥"), ("The neighbour", "邻居"), ("My aunt", "我姑姑"), ("The baker", "面包师"), ("Our postman", "邮递员"),
    ("The dentist", "牙医"), ("My old teacher", "我以前的老师"), ("The florist", "花店老板"), ("A colleague", "一个同事"),
    ("The librarian", "图书管理员"), ("My brother", "我弟弟"), ("The fisherman", "渔夫"), ("The waiter", "服务员"), ("A tourist", "一个游客"),
    ("The gardener", "园丁"),
)  # fmt: skip
DID = (
    ("brought a plum cake over", "带来一个李子蛋糕"), ("told a long joke", "讲了一个很长的笑话"), ("lost an umbrella again", "又弄丢了雨伞"),
    ("talked about the rain", "聊起了这场雨"), ("showed me a photo of a cat", "给我看了一张猫的照片"), ("watched a film about whales", "看了一部讲鲸鱼的电影"),
    ("planted tomatoes", "种了番茄"), ("came back from the lake", "从湖边回来了"), ("read a novel on the bus", "在公交车上读小说"),
    ("asked for a soup recipe", "要了一份汤的做法"), ("sang in the kitchen", "在厨房里唱歌"), ("forgot the keys", "忘了带钥匙"),
    ("painted the fence green", "把篱笆刷成绿色"), ("found an old coin", "捡到一枚旧硬币"), ("slept until noon", "睡到了中午"),
    ("complained about the bus", "抱怨公交车"), ("fixed a radio", "修好了一台收音机"), ("drew a map of the island", "画了一张小岛的地图"),
)  # fmt: skip
TURNS = 300


def chatter(language: int) -> list[str]:
    """Small talk, every line different, enough to make up the turns together with what is learned."""
    joint = (" ", "")[language]
    lines = [f"{who[language]}{joint}{did[language]}{('.', '。')[language]}" for did in DID for who in WHO]
    return lines[: TURNS - len(ROWS)]
