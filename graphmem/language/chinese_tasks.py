"""What Chinese clauses ask for, plan and report done; events with their times."""

from __future__ import annotations

import re

from graphmem.language.chinese import Clause, Sentence
from graphmem.language.chinese_facts import TELLING
from graphmem.language.chinese_names import before, is_person, names, trimmed
from graphmem.language.chinese_words import EVENT_NOUNS, FIRST, NEGATION, PARTICLES, STATUS, TASK_NOUN, THIRD
from graphmem.language.scene import Held, Scene, Timed
from graphmem.language.values import ahead, day_of, moved_time

_REQUEST = re.compile(
    r"(?:(?:请|麻烦|劳驾)(?:你|您)?(?:再|也|先|尽快|务必|到时候)*(?:帮我|帮忙|帮我们|帮|给我|替我)?|(?:能不能|能|可以|可不可以|可否)?(?:再|先|顺便|记得|到时候)*(?:帮我们?|替我们?|帮忙|给我们?)|(?:到时候|记得|请|再|也|麻烦)*提醒(?:我们?|一下我|下我)|别忘了?(?:提醒我)?|不要忘了?|记得|务必|别让我忘了?)(?P<what>.+)$"
)
_WISH = re.compile(
    r"^(?P<who>.{0,10}?)(?:今天|明天|下周|周末|最近|接下来|现在|还|也|都|就|一直|很|真的|特别|非常|先)*(?P<wish>想要|想(?!到|起|念|必|不到|说|问|法|象|想)|打算|计划|准备|希望(?:自己|能|可以|今年)*|决定|(?<![主重需只首不])要(?=[去买订做写学交完成参准提办看搬换装把给在还打开跑考申预续提])|得(?=[去买订做写交完成把给在还打])|需要|必须|应该|争取|力争|下定决心|立志|目标是|的目标是|的任务是|的计划是)(?P<what>.+)$"
)
_DONE = tuple((status, re.compile(rf"(?P<what>.*?)(?P<state>{words})")) for status, words in STATUS)
_URGENT = re.compile(r"紧急|尽快|马上|立刻|立即|急|务必|优先|重要")
_LOW = re.compile(r"不急|不着急|有空|有时间的话|低优先级")
_IDLE = re.compile(
    r"^(?:你|您|他|她|一下|说|问|知道|看看你|谢|聊聊|聊|再见|听|了解一下?|请教|讲|解释|推荐|吐槽|感谢|笑|哭|死|吃|睡|告诉|分析|看看|介绍|确认|的|想|吗|跟你|和你|是|不|没)"
)
_REASON = re.compile(r"(?:因为|由于)([^，。！!]+)")
_PURPOSE = re.compile(r"(?:为了|以便|好让|这样(?:就|才)能?)([^，。！!]+)")
_FINISHED = re.compile(r"(?:了|过|完|好|掉|到了?)")
_SEEN = re.compile(r"^(?:说|是|有|觉得|知道|想|在(?:家|忙|想|$)|喜欢|认为|需要|要|会|能|可以|叫|住|等|下雨|下雪)")


def read_tasks(sentence: Sentence, scene: Scene, taken: set[int]) -> set[int]:
    """Goals and news of goals; returns the clauses (by start) that gave one."""
    told: set[int] = set()
    for number, clause in enumerate(sentence.clauses):
        if clause.start in taken:
            continue
        if (
            (clause.stance in TELLING and _status_news(clause, scene))
            or _requested(clause, sentence, number, scene)
            or (clause.stance in TELLING and _wished(clause, sentence, number, scene))
        ):
            told.add(clause.start)
    return told


# ── goals ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _requested(clause: Clause, sentence: Sentence, number: int, scene: Scene) -> bool:
    polite = clause.stance == "question" and re.search(r"(?:能不能|能|可以|可不可以|可否|麻烦).{0,6}(?:帮|替|给我|提醒)", clause.text)
    if clause.stance != "asserted" and not polite:
        return False
    found = _REQUEST.search(clause.text)
    if found is None or (
        len(found.start() * "x") > 8
        and not re.search(r"[再并也请]$", clause.text[: found.start()])
        and not re.match(r"^(?:那|然后|对了|另外)", clause.text)
    ):
        return False
    if re.search(r"他|她|已经|过|[不没](?:用|要)?$", clause.text[: found.start()]) and not found[0].startswith(("不要忘", "别忘")):
        return False
    what = found["what"].strip(PARTICLES + "？?")
    if (
        re.match(r"^(?:你|您|说|问|看看|解释|介绍|推荐|分析|讲|确认一下$|告诉|用|别|不要|不|总是|一直|每次|以后|永远)", what)
        or len(what) < 2
    ):
        return False
    return _goal(clause, sentence, number, scene)


def _wished(clause: Clause, sentence: Sentence, number: int, scene: Scene) -> bool:
    found = _WISH.match(clause.text)
    if found is None or clause.stance == "reported":
        return False
    who = trimmed(clause.between(clause.start, clause.start + found.end("who")))
    mine = not who or names(who, scene)[:1] == (scene.speaker,) or "".join(word.text for word in who).startswith(tuple(FIRST))
    if (
        not mine
        or NEGATION.search(clause.text[: found.start("wish")])
        or (not who and number > 0 and scene.subject and scene.subject[:1] != (scene.speaker,))
    ):
        return False
    what = found["what"].strip(PARTICLES)
    if (
        len(what) < 2
        or _IDLE.match(what)
        or (not who and found["wish"] in {"应该", "需要", "必须", "得"} and not scene.times(clause.start, clause.end))
    ):
        return False
    if clause.text.endswith("的") and found["wish"] in {"应该", "必须"}:
        return False
    return _goal(clause, sentence, number, scene)


def _goal(clause: Clause, sentence: Sentence, number: int, scene: Scene) -> bool:
    end = clause.end
    following = sentence.clauses[number + 1] if number + 1 < len(sentence.clauses) else None
    deadline = (
        _deadline(clause, scene)
        or (_deadline(following, scene) if following else None)
        or (
            _deadline(sentence.clauses[number - 1], scene)
            if number and re.search(r"前|截止|之内", sentence.clauses[number - 1].text)
            else None
        )
    )
    priority = "high" if _URGENT.search(sentence.text) and not _LOW.search(sentence.text) else "low" if _LOW.search(sentence.text) else None
    reason, purpose = _REASON.search(sentence.text), _PURPOSE.search(sentence.text)
    scene.learn(
        "Goal",
        {"status": "pending", "deadline": deadline, "priority": priority},
        (clause.start, end),
        Held(confidence=0.8),
        reason=reason[1] if reason else None,
        purpose=purpose[1] if purpose else None,
    )
    return True


def _deadline(clause: Clause | None, scene: Scene) -> str | None:
    if clause is None:
        return None
    coming = [ahead(time, scene) for time in scene.times(clause.start, clause.end)]
    coming = [interval for interval in coming if (interval.end or interval.start or scene.turn.said_at) > scene.turn.said_at]
    return day_of(coming[0]) if coming else None


# ── status ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _status_news(clause: Clause, scene: Scene) -> bool:
    """阳台封窗这个任务受阻了, 机票订好了, 报告写完了."""
    text = clause.text
    if re.search(
        r"^(?:请|帮|提醒|记得|别|不要|要|想|打算|计划|准备)|[要想得需](?:在|把)|之前|前(?:要|必须)|必须|应该|希望|才能|再去|以后", text
    ):
        return False
    for status, pattern in _DONE:
        found = pattern.search(text)
        if found is None or not found["what"]:
            continue
        what = re.sub(
            r"(?:这个|那个)?(?:任务|事情|工作|事|项目)?(?:已经|终于|都|全部|也|总算|刚刚|刚|现在|目前|的状态是|还|今天|昨天|上午|下午|早上|我|我们|把|给|被|临时|暂时|又|全)*$",
            "",
            found["what"],
        )
        what = re.sub(r"^(?:我们?|他|她)?(?:今天|昨天|已经|刚刚?|终于|总算)*(?:把|将)?", "", what)
        ended = re.search(r"了|中|受阻|取消|失败|好$", text[found.start("state") :])
        denied = NEGATION.search(found["what"]) or re.search(r"没|还未|尚未", found["what"][-3:])
        if (
            denied
            or not ended
            or len(what) < 2
            or not (
                TASK_NOUN.search(what)
                or re.match(r"进行中|正在进行|受阻|搁置|取消|暂停|卡住|延期", found["state"])
                or "任务" in found["what"]
                or re.match(r"^我?们?把", text)
            )
        ):
            continue
        scene.learn(
            "Goal",
            {"status": status},
            (clause.start, clause.end),
            Held(confidence=0.75),
            hint=what,
            update=re.match(r"^我们?(?:.{0,4})把", text) is not None,
        )
        return True
    return False


# ── events ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_events(sentence: Sentence, scene: Scene, told: set[int]) -> None:
    for clause in sentence.clauses:
        if clause.start in told or clause.stance not in TELLING:
            continue
        if _moved(clause, scene):
            continue
        times = [
            time
            for time in scene.times(clause.start, clause.end)
            if time.interval.start is not None and scene.text[time.start : time.end] not in {"现在", "目前", "今年", "最近"}
        ]
        if times and _is_event(clause, times[0], scene):
            _event(clause, times[0], scene)


_MOVED = re.compile(
    r"^(?P<what>[^，]{2,12}?)(?:的时间)?(?:从[^，]{1,10})?(?:已经|被|又)*(?:改到|改成|改为|改在|推迟到|延到|提前到|挪到|移到|调到)(?P<when>[^，]{1,14})$"
)


def _moved(clause: Clause, scene: Scene) -> bool:
    """会议改到下午三点了: news of an event that is known already."""
    found = _MOVED.match(clause.text)
    when = moved_time(scene, clause.start + found.start("when"), clause.end) if found else None
    if found is None or when is None or not EVENT_NOUNS.search(found["what"]):
        return False
    scene.learn("Event", {"time": when}, (clause.start, clause.end), Held(confidence=0.8), hint=found["what"], update=True)
    return True


_PASSED = re.compile(r"昨|前天|上(?:周|个?月|星期|次)|去年|刚才|前年|今早")
_COMING = re.compile(
    r"看牙医|看医生|开会|见面|聚餐|复诊|上课|出发|起飞|到达|降落|来看|来访|到访|回家|回国|出差|去旅行|去旅游|碰头|约了|体检|面试|开幕|开始|举行|举办|召开"
)


def _is_event(clause: Clause, time: Timed, scene: Scene) -> bool:
    rest = clause.text[: time.start - clause.start] + clause.text[time.end - clause.start :]
    if (
        NEGATION.search(rest[:-1])
        or re.search(r"没|不(?!错|久|断)|别|想|打算|计划|准备|希望|如果|请|帮我|必须|应该", rest)
        or _SEEN.match(rest.lstrip("我们他她，的"))
    ):
        return False
    past = (
        time.interval.start is not None
        and time.interval.start <= scene.turn.said_at
        and (bool(re.search(r"了|过|的$", rest)) or _PASSED.search(scene.text[time.start : time.end]) is not None)
    )
    verbs = [word for word in clause.words if word.tag in {"v", "vn"} and word.text not in {"是", "有", "在", "说", "觉得", "要"}]
    noun = any(EVENT_NOUNS.search(word.text) for word in clause.words)
    if past:
        return (bool(verbs) and bool(_FINISHED.search(rest))) or (noun and bool(re.search(r"了|过|的$", rest)))
    if _COMING.search(rest) and time.interval.start is not None and (ahead(time, scene).start or scene.turn.said_at) > scene.turn.said_at:
        return True
    return noun and (
        bool(re.search(r"在|是|开|有|举行|举办|进行|参加|安排|定|约|改到|和|跟", rest)) or clause.text.endswith(tuple("会课试赛礼展"))
    )


def _event(clause: Clause, time: Timed, scene: Scene) -> None:
    if any(word.text in THIRD for word in clause.words[:3]) and not scene.named and not any(word.tag == "PER" for word in clause.words):
        return
    people: list[str] = []
    words = [word for word in clause.words if not (word.start < time.end and word.end > time.start)]
    verb = next((word for word in words if word.tag == "v" and word.text != "一起"), None)
    lead = words[: words.index(verb)] if verb else words
    run = [
        word
        for word in lead
        if word.tag in {"PER", "r", "nr"}
        or word.text in {"和", "跟", "与", "、"}
        or (word.tag == "n" and re.match(r"^[小老阿]", word.text))
    ]
    people = list(names(run, scene))
    if not people and not any(is_person(name, lead, scene) for name in names(before(clause, verb.start), scene)) if verb else False:
        people = []
    place = re.search(r"在([^，]{2,12}?)(?=举行|举办|开|召开|见|吃|参加|进行|和|跟|$)", clause.text)
    finished = re.search(r"了|过|的$", clause.text) or _PASSED.search(scene.text[time.start : time.end])
    slots = {
        "time": time.interval if finished else ahead(time, scene),
        "participants": tuple(people) or None,
        "location": place[1] if place and not re.search(r"\d|点|号", place[1]) else None,
    }
    event_type = next((word.text for word in clause.words if EVENT_NOUNS.search(word.text)), verb.text if verb else None)
    scene.learn("Event", {**slots, "event_type": event_type}, (clause.start, clause.end), Held(confidence=0.75))
