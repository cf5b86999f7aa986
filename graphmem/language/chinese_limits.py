"""Constraints, standing instructions, rules and the frame of a conversation, in Chinese."""

from __future__ import annotations

import re

from graphmem.language.chinese import Clause, Sentence
from graphmem.language.chinese_names import names, trimmed
from graphmem.language.chinese_words import FIRST, PARTICLES
from graphmem.language.scene import Held, Scene
from graphmem.language.values import AMOUNT
from graphmem.quantity import parse_quantity

_OPERATORS = (
    (
        "lte",
        re.compile(
            r"(?:不能|不得|不可以?|不要|不应该?|不许|别|不准|不)(?:再)?(?:超过|高于|多于|大于|超出|超|晚于|突破)|(?:最多|至多|顶多|最高|最大|上限(?:是|为)?|封顶|最长|最晚|控制在|限制在|限额(?:是|为)?)"
        ),
    ),
    (
        "gte",
        re.compile(
            r"(?:不能|不得|不可以?|不要|不应该?|别|不)(?:少于|低于|小于|短于)|(?:至少|最少|起码|最低|最小|下限(?:是|为)?|不少于|不低于)"
        ),
    ),
    ("lt", re.compile(r"(?:低于|少于|小于|便宜于|短于)")),
    ("gt", re.compile(r"(?:高于|多于|大于|超过|超出)")),
    ("eq", re.compile(r"(?:正好|刚好|恰好|等于)")),
)
_BEHIND = (("lte", re.compile(r"^(?:元|块|左右)?(?:以内|之内|以下|及以下|封顶|内)")), ("gte", re.compile(r"^(?:元|块)?(?:以上|及以上|起)")))
_OBLIGED = re.compile(
    r"必须|一定要|要|得|应该|应当|不能|不得|不可以|不要|不许|不准|别|最多|至多|顶多|至少|起码|最低|最高|上限|下限|限制|控制在|封顶|务必|需要|希望|想要|不超过|不低于|不少于|以内|以下|以上"
)
_MUST_NOT = re.compile(
    r"(?P<who>.*?)(?:绝对|千万|一律|都|也|里|里面|中)*(?P<mark>不能|不可以|不要|不许|不准|不得|禁止|严禁|别|不可|勿|切勿|忌)(?:再)?(?P<verb>放|加|有|含|含有|用|使用|吃|喝|碰|安排|选|住|坐|带|出现|包含|包括|抽烟|吸烟|透露|提到|辣|太|沾|搁|撒)(?P<what>.*)$"
)
_NO_THING = re.compile(
    r"^(?:请)?(?:都)?(?P<mark>不要|别要|不放|不加|免)(?P<what>辣|香菜|葱|蒜|姜|糖|冰|牛肉|羊肉|猪肉|海鲜|花生|太辣|[\u4e00-\u9fff]{1,6}(?:的)?)$"
)
_MUST = re.compile(
    r"^(?P<who>[^，]{1,14}?)(?:必须|一定要|务必|得|需要)(?P<what>(?:有|是|带|靠|含|支持|包含|包括|朝|能|可以|在)[^，]{1,20})$"
)
_STANDING = re.compile(
    r"^(?:请|麻烦)?(?:你|您)?(?:从今以后|从现在起|从现在开始|今后|以后|往后|从今天起|从此)(?:，|,)?(?:请|你|您|都|每次|要|记得|务必|一律|跟我|回答|回复|说|用|别|不要|不用|给我|叫我|在|写|凡是|只|统一|所有)|^(?:请|麻烦)?(?:你|您)?(?:务必|一定要?)?(?:总是|永远|始终|一律|每次都|一直)(?:请|要|用|以|不要|别|先|把|给|在|说|使用|保持)|^(?:请|麻烦)?(?:你|您)?(?:每次|每当|凡是)[^，]{1,16}(?:，|,|时|都|的时候)[^，]{0,8}(?:请|都|先|要|用|提醒|给我|必须|告诉)|^(?:请)?(?:你|您)?(?:只|都|统一)?用(?:中文|英文|英语|日语|法语|简体|繁体|简洁|正式|口语|轻松|markdown|Markdown|表格|列表|公制|摄氏度|Python|python|人民币|普通话|粤语)[^，]{0,6}(?:回答|回复|跟我|和我|交流|写|说|沟通|表示|输出|作答|答复)|^(?:请)?(?:你|您)?(?:回答|回复)(?:我)?(?:的时候|时|问题时)?(?:，|请|要|都|尽量|不要|别|务必)*(?:简短|简洁|详细|正式|不超过|用|别|尽量)|^(?:请)?(?:不要|别)(?:再)?(?:叫我|给我打电话|用表情|用英文|用英语|发语音|打电话给我|推荐|问我|提起|称呼我|用敬语|打断我|给我发)"
)
_RULE = re.compile(
    r"^(?P<mark>如果|要是|一旦|只要|每当|当|若|凡是|万一)(?P<condition>[^，,]{2,40}?)(?:的话|时|的时候)?[，,](?:就|则|那么|那|便|都|请|你|要|必须|应该|一律|马上|立即|自动|先|帮我|记得|提醒我|给)(?P<consequence>[^。！!？?]{2,60})"
)
_RULE_ANY = re.compile(
    r"^(?P<mark>如果|要是|一旦|只要|每当|若)(?P<condition>[^，,]{2,40}?)(?:的话|时)?[，,](?P<consequence>[^，,。！!？?]{0,8}?(?:就|则|必须|应当|应该|要|一律|自动)[^。！!？?]{2,50})"
)
_FRAME = re.compile(
    r"^(?:现在|接下来|今天)?(?:请)?(?:你)?(?:扮演|假装(?:你)?是|充当|来玩角色扮演|进入.{0,6}模式)(?P<topic>[^。！!？?]{0,40})|^(?:我们)?(?:现在|今天|接下来)?(?:来)?(?:聊聊|讨论一下|谈谈|来讨论|说说)(?P<topic2>[^。！!？?吗呢]{2,40})$|^(?:在)?(?:这次|本次)(?:对话|会话|聊天)(?:里|中)?(?P<topic3>[^。]{2,40})"
)


def read_limits(sentence: Sentence, scene: Scene) -> set[int]:
    """Learn the limits and orders of a sentence; returns the clauses (by start) that gave one."""
    everything = {clause.start for clause in sentence.clauses}
    text = _plain(sentence)
    if not text or sentence.question:
        return set()
    if _frame(text, sentence, scene) or _rule(text, sentence, scene) or _instruction(text, sentence, scene):
        return everything
    told: set[int] = set()
    for clause in sentence.clauses:
        if clause.stance != "asserted":
            continue
        if _amount(clause, scene) or _thing(clause, scene):
            told.add(clause.start)
    return told


def _plain(sentence: Sentence) -> str:
    if not sentence.clauses:
        return ""
    return sentence.text[sentence.clauses[0].start - sentence.start :].strip(" 。！!；;\n")


def _span(sentence: Sentence) -> tuple[int, int]:
    return sentence.clauses[0].start, sentence.clauses[-1].end


# ── orders and rules ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _frame(text: str, sentence: Sentence, scene: Scene) -> bool:
    found = _FRAME.match(text)
    if found is None:
        return False
    topic = next((found[name] for name in ("topic", "topic2", "topic3") if found[name]), "")
    kind = "role_play" if re.search(r"扮演|假装|充当|模式", found[0]) else "conversation"
    scene.learn(
        "ContextualFrame",
        {"frame_type": kind, "topic": topic.strip(" ，,：") or None, "active": True},
        _span(sentence),
        Held(confidence=0.8),
    )
    return True


def _instruction(text: str, sentence: Sentence, scene: Scene) -> bool:
    if (
        scene.turn.message.role == "assistant"
        or _STANDING.match(text) is None
        or re.match(r"^(?:以后|今后)(?:我|再|有|会|可能|再说|吧)", text)
    ):
        return False
    start, end = _span(sentence)
    content = scene.text[start:end].strip(PARTICLES + " ")
    scene.learn(
        "Instruction",
        {"content": content, "priority": "high" if re.search(r"务必|绝对|千万|永远", text) else None},
        (start, end),
        Held(confidence=0.85),
    )
    return True


def _rule(text: str, sentence: Sentence, scene: Scene) -> bool:
    found = _RULE.match(text) or _RULE_ANY.match(text)
    if (
        found is None
        or re.search(r"就好|多好|会|可能|也许|吗$|呢$|就是|早就|就能|就可以|就更|就不", found["consequence"])
        or re.match(r"^(?:我|我们)(?:是|有|能|会|搬|当|没|早|去|住|在|中)", found["condition"])
        or re.search(r"你(?:有|想|方便|愿意|需要|喜欢|觉得)", found["condition"])
    ):
        return False
    start = sentence.clauses[0].start + found.start("consequence")
    consequence = sentence.text[max(0, start - sentence.start) :].strip(" 。！!") if False else found["consequence"]
    scene.learn(
        "Rule", {"condition": found["condition"].strip(), "consequence": consequence.strip()}, _span(sentence), Held(confidence=0.8)
    )
    return True


# ── limits ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _amount(clause: Clause, scene: Scene) -> bool:
    """预算不能超过5000元, 每晚500元以内, 至少要三个人."""
    found = bound(clause.text)
    if found is None or not _OBLIGED.search(clause.text) or re.search(r"已经|了$|过$", clause.text):
        return False
    operator, number, unit, start = found
    subject, attribute = _about(clause.text[:start], clause, scene, unit)
    scene.learn(
        "Constraint",
        {"subject": subject, "attribute": attribute, "operator": operator, "value": number, "unit": unit or None},
        (clause.start, clause.end),
        Held(confidence=0.85),
    )
    return True


def bound(text: str) -> tuple[str, float, str, int] | None:
    """(operator, number, unit, where the comparison starts) of the first bounded amount."""
    for amount in AMOUNT.finditer(text.casefold()):
        quantity = parse_quantity(text[amount.start() : amount.end()].strip())
        if quantity is None:
            continue
        before, behind = text[: amount.start()], text[amount.end() :]
        for operator, pattern in _OPERATORS:
            near = [match for match in pattern.finditer(before) if len(before) - match.end() <= 3]
            if near:
                inner = operator
                if operator == "lte" and re.search(r"控制在|限制在", near[-1][0]) and re.match(r"^[以]?上", behind):
                    inner = "gte"
                return inner, quantity.number, quantity.unit, near[-1].start()
        for operator, pattern in _BEHIND:
            if pattern.match(behind):
                return operator, quantity.number, quantity.unit, amount.start()
    return None


_ATTRIBUTES = (
    ("budget", "预算|经费"),
    ("price", "价格|房价|单价|票价|房租|租金|费用|花费|价钱|总价|钱"),
    ("deadline", "截止|期限"),
    ("duration", "时间|时长|小时|天数"),
    ("weight", "重量|体重"),
    ("count", "人数|数量|个数"),
    ("balance", "余额"),
    ("temperature", "温度"),
)


def _about(lead: str, clause: Clause, scene: Scene, unit: str) -> tuple[str, str]:
    attribute = next((name for name, words in _ATTRIBUTES if re.search(words, clause.text)), None)
    words = trimmed(
        [
            word
            for word in clause.between(clause.start, clause.start + len(lead))
            if word.tag not in {"v", "d", "p", "TIME", "u", "c"} or word.text == "的"
        ]
    )
    plain = "".join(word.text for word in words)
    if attribute:
        noun = next((word for name, pattern in _ATTRIBUTES if name == attribute for word in pattern.split("|") if word in plain), "")
        owner = plain[: plain.find(noun)].removesuffix("的") if noun and plain.find(noun) > 0 else ""
        return (owner if owner and owner not in FIRST else scene.topic or scene.speaker), attribute
    if unit in {"CNY", "USD", "EUR", "GBP", "JPY", "HKD", "TWD"}:
        return plain or scene.topic or scene.speaker, "price"
    return scene.topic or scene.speaker, plain or "amount"


def _thing(clause: Clause, scene: Scene) -> bool:
    """菜里不能放香菜, 不要辣, 房间必须有阳台."""
    found = _MUST_NOT.match(clause.text)
    who = re.sub(r"^(?:另外|还有|并且|而且|请)", "", found["who"]) if found else ""
    if found and not re.match(r"^(?:他|她|他们)", who) and not found["what"].startswith(("忘", "吗")):
        asked = (
            found["mark"] in {"不要", "别"}
            and found["verb"] in {"安排", "选", "住", "坐", "带", "吃", "喝", "有", "用", "使用"}
            and not who
        )
        if asked and found["verb"] not in {"有", "用", "使用", "安排", "选", "住", "坐"}:
            return False
        value = (found["verb"] + found["what"] if found["verb"] in {"抽烟", "吸烟", "辣", "太"} else found["what"]).strip(PARTICLES)
        return _limit(clause, scene, who, value or found["verb"], ("must_not", found["verb"]))
    plain = _NO_THING.match(clause.text)
    if plain:
        return _limit(clause, scene, "", plain["what"].removesuffix("的"), ("must_not", "content"))
    must = _MUST.match(clause.text)
    if (
        must
        and not must["who"].startswith(tuple(FIRST))
        and not re.match(r"^(?:你|您|他|她|大家|这)", must["who"])
        and not scene.times(clause.start, clause.end)
    ):
        return _limit(clause, scene, must["who"], must["what"], ("must", "content"))
    return False


def _limit(clause: Clause, scene: Scene, who: str, value: str, limit: tuple[str, str]) -> bool:
    operator, attribute = limit
    if len(value) > 20 or not value:
        return False
    whose = re.sub(r"(?:里面?|中|上)$", "", who.strip())
    subject = scene.speaker if not whose or whose in FIRST or whose.startswith(tuple(FIRST)) else whose
    value = value.removesuffix("的").removeprefix("是")
    scene.learn(
        "Constraint",
        {"subject": subject, "attribute": attribute, "operator": operator, "value": value},
        (clause.start, clause.end),
        Held(confidence=0.8),
    )
    return True


__all__ = ["names", "read_limits"]
