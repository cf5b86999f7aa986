"""What Chinese clauses say of taste, feeling and things noticed."""

from __future__ import annotations

import re

from graphmem.language.chinese import Clause, Sentence
from graphmem.language.chinese_facts import TELLING
from graphmem.language.chinese_names import before, is_person, names, subjects, trimmed
from graphmem.language.chinese_words import EMOTIONS, FIRST, INTENDED, NEGATION, PARTICLES, alternatives
from graphmem.language.scene import Held, Scene

_DEGREE = r"(?:一直|从小|最近|真的|其实|也|都|还|就|很|非常|特别|超级|超|最|挺|蛮|比较|更加|更|十分|相当|极其|格外|尤其|有点|可|太|好|巨|贼|老|实在|简直|真)*"
_LIKES = re.compile(
    rf"(?P<degree>{_DEGREE})(?P<verb>不太喜欢|不怎么喜欢|不是很喜欢|不喜欢|不爱|不感兴趣|受不了|忍不了|讨厌|厌恶|反感|痛恨|恨|嫌弃|烦透了|喜欢上了?|喜欢|喜爱|热爱|酷爱|钟爱|偏爱|偏好|热衷于|痴迷于|迷上了?|爱上了?|爱吃|爱喝|爱看|爱听|爱玩|爱读|(?<![可恋亲敬疼友心做相])爱(?=[\u4e00-\u9fff])(?!人|情|好|护|惜|心|豆|上|国))(?P<what>.+)$"
)
_ABOUT = re.compile(
    r"对(?P<what>[^，]{1,14}?)(?P<degree>很|非常|特别|超|挺|比较|完全|一点都|一点也|十分|相当|格外)?(?P<verb>不感兴趣|没兴趣|没有兴趣|感兴趣|有兴趣|情有独钟|着迷|无感|很反感|反感)"
)
_FAN = re.compile(r"是(?P<what>[^，]{1,12}?)的?(?:忠实|铁杆|狂热|资深|超级)?(?:粉丝|爱好者|铁粉|迷)$")
_RATHER = re.compile(
    r"(?:比起|跟|和|与)(?P<other>[^，]{1,10}?)(?:相比)?[，]?(?:我)?(?P<verb>更喜欢|更爱|更偏爱|更倾向于|宁愿|更愿意)(?P<what>.+)$"
)
_DISLIKE = re.compile(r"不|讨厌|厌恶|反感|恨|嫌弃|烦|没")
_WEAK_OBJECT = re.compile(r"^(?:你|他|她|它|这|那|什么|上|死|了|的|就|是|说|过|吗|一下|到|看到你)")
_EMOTION = re.compile(rf"(?P<degree>{_DEGREE}|快|要|都)(?P<word>{alternatives(' '.join(EMOTIONS))})")
_MAKES = re.compile(
    rf"^(?P<what>.*?)(?:真的|实在|真是)?(?:让|令|使|把|弄得|搞得|害得|叫)(?P<who>我们?|他们?|她们?|[\u4e00-\u9fff]{{2,3}})(?:感到|觉得|感觉)?{_DEGREE}(?:都|要|快)?(?P<word>{alternatives(' '.join(EMOTIONS))})"
)
_TRIGGERS = (
    re.compile(r"一?(?:想到|想起|提到|看到|听到|说到|听说|收到|得知)(?P<what>[^，]+?)(?:，|的时候)?(?=我|他|她|就|心里|,|，|$|很|特别|都)"),
    re.compile(r"(?:为了?|因为?|由于|对于?|关于)(?P<what>[^，]{1,30}?)(?:而|感到|觉得|很|非常|特别|十分|$|，|有点|超|感觉|格外|相当)"),
)
_OBSERVED = re.compile(
    r"^(?P<who>我们?|[\u4e00-\u9fff]{0,4}?)(?:今天|昨天|最近|刚才|刚|也|还|都)*(?:观察到|注意到|留意到|发现|察觉到|发觉)(?P<what>.+)$"
)


def read_feelings(sentence: Sentence, scene: Scene, taken: set[int]) -> set[int]:
    told: set[int] = set()
    for number, clause in enumerate(sentence.clauses):
        if clause.stance not in TELLING:
            continue
        count = len(scene.drafts)
        if clause.start not in taken:
            _preference(clause, scene)
        if len(scene.drafts) == count:
            _emotion(clause, sentence, number, scene)
        if len(scene.drafts) == count:
            _observation(clause, sentence, scene)
        if len(scene.drafts) > count:
            told.add(clause.start)
    return told


# ── taste ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _preference(clause: Clause, scene: Scene) -> None:
    rather = _RATHER.search(clause.text)
    if rather:
        lead = re.match(r"^(?:比起|跟|和|与)[^我你他她]{1,10}", clause.text)
        words = trimmed(clause.between(clause.start + (lead.end() if lead else 0), clause.start + rather.start("verb")))
        for holder in names(words, scene) or (scene.speaker,):
            _hold(holder, scene.text[clause.start + rather.start("what") : clause.start + rather.end("what")], ("like", 0.7), clause, scene)
        return
    found = _LIKES.search(clause.text)
    if found:
        _liked(found, clause, scene)
        return
    about = _ABOUT.search(clause.text) or _FAN.search(clause.text)
    if about is None or NEGATION.search(clause.text[: about.start()]):
        return
    verb = about.groupdict().get("verb") or ""
    polarity = "dislike" if _DISLIKE.search(verb) or verb == "无感" else "like"
    for holder in subjects(clause, clause.start + about.start(), scene):
        _hold(holder, scene.text[clause.start + about.start("what") : clause.start + about.end("what")], (polarity, 0.7), clause, scene)


def _liked(found: re.Match[str], clause: Clause, scene: Scene) -> None:
    lead, verb = clause.text[: found.start("verb")], found["verb"]
    if re.search(r"最$", lead) and found["what"].startswith(("的",)):
        return
    asked = INTENDED.search(lead.replace("最", "")) or re.search(r"[为以]前|曾经|小时候|原来|会$|谁|吗$|是因为", lead)
    if asked or found["what"].startswith(("的", "吗")):
        return
    polarity = "dislike" if _DISLIKE.search(verb) else "like"
    if NEGATION.search(lead[: len(lead) - len(found["degree"] or "")] if found["degree"] else lead):
        if polarity == "dislike":
            return
        polarity = "dislike"
    strength = 0.9 if re.search(r"最|超|特别|非常|热爱|酷爱|痛恨|受不了|极", (found["degree"] or "") + verb) else 0.7
    what = scene.text[clause.start + found.start("what") : clause.start + found.end("what")].rstrip(PARTICLES + " 。！!")
    words = before(clause, clause.start + found.start())
    holders = names(words, scene) if words else scene.subject or (scene.speaker,)
    if words and not any(is_person(name, words, scene) for name in holders):
        return
    for holder in holders:
        for part in _liked_things(what):
            _hold(holder, part, (polarity, strength), clause, scene)
    scene.subject = holders or scene.subject


def _liked_things(what: str) -> list[str]:
    """Several things joined by 和 or 、 are liked one by one, unless a verb governs them all."""
    if _WEAK_OBJECT.match(what) or len(what) > 20 or len(what) < 1:
        return []
    listed = [part for part in re.split(r"[、和跟与]|以及|还有", what) if part]
    return listed if len(listed) > 1 and all(1 < len(part) <= 8 for part in listed) else [what]


def _hold(holder: str, what: str, taste: tuple[str, float], clause: Clause, scene: Scene) -> None:
    what = what.strip(" 的了")
    if what and not _WEAK_OBJECT.match(what):
        scene.learn(
            "Preference",
            {"subject": holder, "object": what, "polarity": taste[0], "strength": taste[1]},
            (clause.start, clause.end),
            Held(confidence=0.85),
        )


# ── feeling ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _emotion(clause: Clause, sentence: Sentence, number: int, scene: Scene) -> None:
    makes = _MAKES.match(clause.text)
    if makes and not NEGATION.search(clause.text[: makes.start("who")]):
        who = scene.speaker if makes["who"] in FIRST else makes["who"]
        trigger = makes["what"].strip() or _clause_before(sentence, number, scene)
        _feel(who, makes["word"], trigger, clause, scene)
        return
    found = _EMOTION.search(clause.text)
    if found is None or _not_felt(clause, found):
        return
    position = clause.start + found.start()
    words = before(clause, position)
    holders = names(words, scene) if words else (scene.speaker,)
    if found["word"] in {"气死我了", "吓死我了", "烦死我了"} or (words and not any(is_person(name, words, scene) for name in holders)):
        holders = (scene.speaker,)
    for holder in holders[:1] or (scene.speaker,):
        _feel(holder, found["word"], _trigger(clause, found, sentence, number, scene), clause, scene)


def _not_felt(clause: Clause, found: re.Match[str]) -> bool:
    lead, tail = clause.text[: found.start("word")], clause.text[found.end("word") :]
    if NEGATION.search(lead.removesuffix(found["degree"] or "")) and not re.search(r"不开心|不高兴|不满|不安|不爽", found["word"]):
        return True
    if re.search(r"不要|别|祝|很?高兴(?:认识|见到|为您)", clause.text) or re.match(
        r"^(?:的(?:是|话|人|电影|故事|事|小说|歌|味道|颜色)|地|剂|药|症|片)", tail
    ):
        return True
    if found["word"] in {"期待", "意外", "满意", "感动", "满足", "骄傲", "紧张", "平静", "爽", "难受", "慌", "孤独"} and not (
        re.search(r"很|非常|特别|超|太|十分|真|好|有点|感到|觉得|感觉|相当|极|让|令", lead + (found["degree"] or ""))
    ):
        return True
    return bool(re.search(r"以前|小时候|当时|那时", lead))


def _feel(holder: str, word: str, trigger: str | None, clause: Clause, scene: Scene) -> None:
    strong = bool(re.search(r"死|极|坏|非常|特别|超|太|要命|崩溃|炸", clause.text))
    slots = {"emotion": EMOTIONS[word], "intensity": 0.9 if strong else 0.6, "trigger": trigger, "subject": holder}
    scene.learn("EmotionalState", slots, (clause.start, clause.end), Held(confidence=0.8))


def _trigger(clause: Clause, found: re.Match[str], sentence: Sentence, number: int, scene: Scene) -> str | None:
    lead = clause.text[: found.start()]
    for pattern in _TRIGGERS:
        match = pattern.search(lead)
        if match and match["what"]:
            return scene.text[clause.start + match.start("what") : clause.start + match.end("what")].strip(" ，")
    tail = clause.text[found.end("word") :].strip(PARTICLES + "。！!得 ")
    if len(tail) > 1 and found["word"] in {"担心", "害怕", "期待", "恐惧", "焦虑", "讨厌", "没想到", "发愁", "嫌弃"}:
        return scene.text[clause.start + found.end("word") : clause.end].strip(" 了。！!")
    return _clause_before(sentence, number, scene) or (_clause_after(sentence, number, scene)) or _sentence_before(sentence, scene)


def _clause_before(sentence: Sentence, number: int, scene: Scene) -> str | None:
    if number == 0:
        return None
    first = sentence.clauses[number - 1]
    text = scene.text[first.start : first.end]
    return re.sub(r"^(?:因为|由于|一想到|想到|听说|看到)", "", text) or None


def _clause_after(sentence: Sentence, number: int, scene: Scene) -> str | None:
    following = sentence.clauses[number + 1] if number + 1 < len(sentence.clauses) else None
    return re.sub(r"^(?:因为|由于)", "", scene.text[following.start : following.end]) if following else None


def _sentence_before(sentence: Sentence, scene: Scene) -> str | None:
    text = scene.text[: sentence.start].strip(" 。！!？?，")
    return re.split(r"[。！!？?]", text)[-1] or None if text else None


def _observation(clause: Clause, sentence: Sentence, scene: Scene) -> None:
    found = _OBSERVED.match(clause.text)
    if found is None or found["who"] not in FIRST | {""} or NEGATION.search(clause.text[: found.start("what")]):
        return
    end = max(item.end for item in sentence.clauses if item.stance == clause.stance)
    scene.learn("Observation", {"observer": scene.speaker}, (clause.start, end), Held(confidence=0.75))
