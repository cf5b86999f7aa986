"""Triples from Chinese verbs that carry an amount, a date or a version: 售价899元, 升级到10.2, 每月3500元, 截止到周五."""

from __future__ import annotations

import re

from graphmem.language.chinese import Clause, Sentence
from graphmem.language.chinese_facts import TELLING, Claimed, standing
from graphmem.language.chinese_names import before, names, trimmed
from graphmem.language.chinese_words import INTENDED, NEGATION
from graphmem.language.english_facts import bounds
from graphmem.language.lexicon import Lexicon
from graphmem.language.scene import Held, Scene
from graphmem.language.values import ahead, amounts, day_of

_VERSION = re.compile(
    r"^(?:.{0,8}?)(?:把|将)?(?P<owner>[^，把将]*?)(?:从\s?v?[\d.]+)?(?:已经|刚刚|刚|都|也)*(?:升级|更新|升|降级|回退|回滚|切换|换)(?:到|至|为|成)了?(?:版本)?\s?v?(?P<version>\d+(?:\.\d+){1,4})(?![\d元])"
)
_USING = re.compile(
    r"(?:用的是|使用的是|用|跑的是|装的是|安装的是|运行的是|运行)\s?(?P<owner>[A-Za-z][\w+#-]*(?: [A-Z][\w+#-]*)?)\s?v?(?P<version>\d+(?:\.\d+){1,4})"
)
_PRICE = re.compile(
    r"(?P<owner>[^，]*?)(?:的)?(?:现在|目前|原价|一共|总共|大概|大约|只|才|要)*(?:售价|卖|要价|标价|定价|花了?我?|要|收费|价格)?(?:每[个张位晚月年天次斤人件台]|一[个张位晚月年天次斤人件台])?(?:只|才|要|卖|是|收)?(?P<price>[¥￥$]?\s?\d[\d,.]*(?:[万千百]|多)?\s?(?:元|块钱?|美元|欧元|英镑|日元|港币|人民币)|[一二两三四五六七八九十百千万]+(?:元|块钱?))(?:钱)?(?:每[个张位晚月年天次斤人件]|一[个张位晚月年天次斤人件])?$"
)
_PRICED = re.compile(r"售价|卖|要价|标价|定价|收费|价格|门票|票|房租|租金|学费|每|一[个张位晚月年天次斤人件]|费")
_DUE = re.compile(
    r"(?P<owner>[^，]{2,16}?)(?:的)?(?:是)?(?:将)?(?:于|在)?(?P<when>[^，]{1,14}?)(?:截止|到期|截稿|结束报名)$|(?P<owner2>[^，]{2,16}?)(?:截止到|截止于|截至)(?P<when2>[^，]{1,14})$"
)


_CASE = re.compile(
    r"^(?:我的|您的|你的)?(?P<what>(?:订单|工单|包裹|快递|退款|申请|案件|运单)号?\s?[A-Za-z]{0,3}-?\d{2,})(?:目前|现在|还在|正在|刚刚|终于)*"
    r"(?P<state>(?:已经|已)?(?:发货|签收|取消|完成|退款|送达|付款|关闭|解决|受理|丢失|延迟|延误)|(?:处理|运输|派送|配送|审核|进行)中)(?:了)?$"
)


def _standing(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    """订单5521已经签收了: where a numbered case stands."""
    found = _CASE.match(clause.text)
    if found and lexicon.knows("status"):
        state = scene.text[clause.start + found.start("state") : clause.start + found.end("state")].replace("已经", "已")
        scene.fact(
            scene.text[clause.start + found.start("what") : clause.start + found.end("what")],
            "status",
            state,
            (clause.start, clause.end),
            Held(confidence=0.85),
        )


def read_amounts(sentence: Sentence, scene: Scene, lexicon: Lexicon, taken: set[int]) -> set[int]:
    told: set[int] = set()
    for clause in sentence.clauses:
        if clause.stance not in TELLING or clause.start in taken:
            continue
        count = len(scene.drafts)
        _version(clause, scene, lexicon)
        _price(clause, scene, lexicon)
        _due(clause, scene, lexicon)
        _standing(clause, scene, lexicon)
        if len(scene.drafts) > count:
            told.add(clause.start)
    return told


def _version(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    found = _VERSION.search(clause.text) or _USING.search(clause.text)
    if (
        found is None
        or not lexicon.knows("version")
        or INTENDED.search(clause.text[: found.start("version")])
        or NEGATION.search(clause.text[: found.start("owner")])
    ):
        return
    start, end = clause.start + found.start("owner"), clause.start + found.end("owner")
    owner = names(before(clause, end) if not re.match(r"[A-Za-z]", found["owner"]) else trimmed(clause.between(start, end)), scene)
    name = re.sub(r"(?:的)?版本$", "", owner[0] if owner else found["owner"].strip())
    since, _, point = bounds(scene.times(clause.start, clause.end), scene)
    if name and len(name) <= 30:
        scene.fact(name, "version", found["version"], (clause.start, clause.end), Held(since=since or point, confidence=0.85))


def _price(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    found = _PRICE.match(clause.text)
    if (
        found is None
        or not lexicon.knows("price")
        or not _PRICED.search(clause.text)
        or re.search(r"预算|工资|薪|余额|超过|至少|最多|不到|收入|存款|花了|买了|欠|借|付了|低于|高于", clause.text)
    ):
        return
    start, end = clause.start + found.start("owner"), clause.start + found.end("owner")
    words = [word for word in trimmed(clause.between(start, end)) if word.tag not in {"TIME", "v", "d"} or word.text == "的"]
    owner = names(words, scene) or ((found["owner"].strip(),) if 1 < len(found["owner"].strip()) <= 12 else ())
    held = standing("", clause, scene, Claimed("price"))
    for name in owner if held else ():
        scene.fact(
            name,
            "price",
            amounts(found["price"])[0] if amounts(found["price"]) else found["price"],
            (clause.start, clause.end),
            held or Held(),
        )


def _due(clause: Clause, scene: Scene, lexicon: Lexicon) -> None:
    found = _DUE.match(clause.text)
    if found is None or not lexicon.knows("deadline") or re.search(r"日期|时间|期限", clause.text):
        return
    group = "owner" if found["owner"] else "owner2"
    start, end = clause.start + found.start(group), clause.start + found.end(group)
    when = next((time for time in scene.times(clause.start, clause.end)), None)
    for name in names(trimmed(clause.between(start, end)), scene) if when else ():
        scene.fact(name, "deadline", day_of(ahead(when, scene)) or "" if when else "", (clause.start, clause.end), Held(confidence=0.85))
