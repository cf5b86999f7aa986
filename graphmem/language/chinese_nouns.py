"""Triples from Chinese nouns: attributes (X的价格是Y), kinship (我姐姐叫王敏), names, ages, occupations, favourites."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from graphmem.language.chinese import Clause, Sentence
from graphmem.language.chinese_facts import TELLING, Claimed, standing
from graphmem.language.chinese_grammar import CHINESE, FILLER_IS_SUBJECT, NOUN_RELATIONS
from graphmem.language.chinese_kin import joint, kin, name_of, nickname
from graphmem.language.chinese_names import after, before, is_person, names, slice_of, span_of, subjects, trimmed
from graphmem.language.chinese_words import (
    FIRST,
    INTENDED,
    KIN,
    NEGATION,
    NOT_NAMES,
    NOT_OCCUPATION,
    OCCUPATION,
    ORG_ENDINGS,
    alternatives,
)
from graphmem.language.lexicon import Lexicon
from graphmem.language.scene import Held, Scene
from graphmem.language.values import value_in

_IS = r"(?:现在|目前|当前|已经|暂时|大概|大约|一共|总共|就|都|也|正式|刚刚|刚)*(?:是|为|叫做|叫|：|:|定在|定为|设在|有|等于|达到|达|约|只有|变成了?|改成了?|改为了?|改到了?|调整[为到]了?|提高到了?|提升到了?|增加到了?|涨到了?|上涨到了?|上调[到至]了?|降到了?|降低到了?|下降到了?|下调[到至]了?|减少到了?|减到了?|缩减到了?|升级到了?|更新到了?|推迟到了?|延长到了?|延期到了?|提前到了?|砍到了?|压缩到了?|追加到了?|加到了?|翻到了?|换成了?|从[^，]{1,14}?(?:到|至|为|成)了?|由[^，]{1,14}?(?:到|至|为|成)了?|在)"
_CHANGED = re.compile(r"改|调|提高|提升|增加|涨|降|减|升级|更新|推迟|延|提前|砍|压缩|追加|加到|翻|换|变|从|由")
_AGE = re.compile(
    r"(?:今年|现在|已经|刚|刚满|快|满|都|才|马上)*(?P<age>\d{1,3}|[一二两三四五六七八九十百零半]{1,5})(?:周岁|岁)(?:半)?(?:了|啦)?(?=$|[，,、和也])"
)
_FAVOURITE = re.compile(
    r"(?P<who>.{0,12}?)最(?:喜欢|爱|喜爱|中意|钟爱)(?:吃|喝|看|听|玩|读|去)?的(?P<of>[^是，]{1,8}?)(?:就是|是|还是|一直是|：|为|叫)(?P<what>.+)$"
)
_FAVOURITE_OF = re.compile(
    r"^(?P<what>.{1,12}?)(?:就是|是|一直是)(?P<who>.{1,8}?)最(?:喜欢|爱|喜爱|中意)(?:吃|喝|看|听|玩|读|去)?的(?P<of>.{1,8})$"
)


def read_nouns(sentence: Sentence, scene: Scene, lexicon: Lexicon) -> set[int]:
    """Learn what nouns say; returns the clauses (by start) that stated something."""
    told: set[int] = set()
    for clause in sentence.clauses:
        if clause.stance not in TELLING:
            continue
        count = len(scene.drafts)
        for read in (_favourite, nickname, kin, joint, name_of, _attribute, _age, _occupation, _born):
            if read(clause, scene, lexicon):
                break
        if len(scene.drafts) > count:
            told.add(clause.start)
    return told


# ── attributes ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Attributes:
    """A lexicon's attribute nouns in their three constructions: X的N是V, 把X的N改成V, X的N V."""

    relations: Mapping[str, str]
    stated: re.Pattern[str]
    changed: re.Pattern[str]
    bare: re.Pattern[str]


@lru_cache(maxsize=8)
def _attributes(lexicon: Lexicon) -> Attributes:
    """Compiled once for each lexicon; lexicons are told apart by identity."""
    table = dict(_nouns(lexicon))
    noun = rf"(?P<noun>{alternatives(' '.join(table))})"
    number = r"[+\d¥￥$][\d,.\-+ ]{0,20}.{0,6}|[\w.+-]+@[\w.-]+"
    return Attributes(
        table,
        re.compile(rf"(?P<owner>.*?)(?:的)?{noun}(?:号码|金额|总额)?(?P<is>{_IS})(?P<value>.+)$"),
        re.compile(rf"^(?:.{{0,10}}?)(?:把|将)(?P<owner>.*?)(?:的)?{noun}(?P<is>{_IS})(?P<value>.+)$"),
        re.compile(rf"(?P<owner>.*?)(?:的)?{noun}(?P<is>)(?P<value>{number})$"),
    )


def _nouns(lexicon: Lexicon) -> tuple[tuple[str, str], ...]:
    kept: dict[str, str] = {}
    for cue, senses in lexicon.cues:
        for sense in senses:
            known = sense.relation in NOUN_RELATIONS or lexicon.kinds.get(sense.relation) in {
                "quantity",
                "date",
                "version",
                "status",
                "text",
            }
            if (
                known
                and "…" not in cue
                and sense.effect == "="
                and not sense.inverse
                and cue not in _VERBS
                and not re.search(r"[是为在了到]$|^[会能说讲叫卖挣]", cue)
            ):
                kept.setdefault(cue, sense.relation)
    kept |= {noun: relation for noun, relation in _EXTRA.items() if lexicon.knows(relation)}
    return tuple(kept.items())


_VERBS = frozenset(
    verb for relation, spellings in CHINESE.items() for verb in (spelling.lstrip("+-<") for spelling in spellings) if relation != "likes"
) | {
    "截至",
    "截止到",
    "花费",
    "说",
    "讲",
    "任",
    "担任",
    "从事",
    "想要",
    "打算",
    "教",
    "吃",
    "喝",
    "卖",
    "挣",
    "患有",
    "确诊",
    "精通",
    "擅长",
}
_EXTRA = {
    "负责人": "manages",
    "经理": "manages",
    "创始人": "created",
    "作者": "created",
    "发明者": "created",
    "订单状态": "status",
    "房租": "price",
    "租金": "price",
    "月租": "price",
    "学费": "price",
    "门票": "price",
    "票价": "price",
    "手机": "phone",
    "首都": "capital_of",
    "省会": "capital_of",
    "工作": "job_title",
    "母语": "speaks",
    "单位": "works_at",
    "截止时间": "deadline",
    "交稿时间": "deadline",
    "截稿日期": "deadline",
    "地址": "address",
}


def _attribute(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    known = _attributes(lexicon)
    text = clause.text
    found = known.stated.match(text) or _changed_object(clause, known) or known.bare.match(text)
    if found is None:
        return False
    relation = known.relations[found["noun"]]
    kind = lexicon.kinds.get(relation, "text")
    owner = _owner(found, clause, scene, relation)
    if (
        owner is None
        or NEGATION.search(text[: found.start("noun")])
        or re.search(r"不$|没$", text[: found.start("is")])
        or INTENDED.search(text[: found.start("noun")])
    ):
        return False
    held = (
        Held(confidence=0.85)
        if kind == "date"
        else standing(text[: found.start("noun")], clause, scene, Claimed(relation, "+" if _CHANGED.search(found["is"]) else "="))
    )
    values = value_in(
        relation, kind, scene.text[clause.start + found.start("value") : clause.end], scene, clause.start + found.start("value")
    )
    values = values or _text_value(relation, kind, found, clause, scene)
    for whose in owner if held else ():
        for value in values:
            pair = (value, whose) if relation in FILLER_IS_SUBJECT else (whose, value)
            scene.fact(pair[0], relation, pair[1], span_of(clause), Held(confidence=0.85) if kind == "date" else held or Held())
    return bool(values)


def _changed_object(clause: Clause, known: Attributes) -> re.Match[str] | None:
    """把预算提高到7000元了: only what is done already."""
    done = re.search(r"[把将]", clause.text) and re.search(r"了$|了[^，]*$|已经", clause.text)
    return known.changed.match(clause.text) if done else None


def _owner(found: re.Match[str], clause: Clause, scene: Scene, relation: str) -> tuple[str, ...] | None:
    end = clause.start + found.end("owner")
    start = clause.start + found.start("owner")
    words = trimmed(clause.between(start, end))
    words = [word for word in words if word.text not in {"把", "将"}]
    if (
        relation == "price"
        and found["noun"] in {"房租", "租金", "月租", "学费", "门票"}
        and (not words or "".join(word.text for word in words) in FIRST | {"我的", "我们的", "每个月", "每月"})
    ):
        return (scene.text[clause.start + found.start("noun") : clause.start + found.end("noun")],)
    if not words:
        if relation in {"budget", "deadline", "price"}:
            return (scene.topic,) if scene.topic else (scene.speaker,) if relation == "budget" else None
        return (
            scene.subject or (scene.speaker,)
            if relation in {"phone", "email", "address", "born_on", "job_title", "age"}
            else scene.subject or None
        )
    if len(words) > 1 and any(word.tag == "v" and word.text != "的" for word in words) and "的" not in "".join(word.text for word in words):
        return None
    text = "".join(word.text for word in words).removesuffix("的")
    if text in FIRST and relation in {"budget", "price"}:
        return (scene.speaker,)
    run = before(clause, end)
    return names(run or words, scene) or None


def _text_value(relation: str, kind: str, found: re.Match[str], clause: Clause, scene: Scene) -> list[str]:
    if kind in {"quantity", "date", "version"} or relation in {"phone", "email", "born_on", "age"}:
        return []
    text = slice_of(found, "value", clause, scene)
    if relation == "address":
        return [text] if len(text) <= 40 and re.search(r"[路街巷号楼室村镇区道弄]", text) else []
    if kind == "status":
        return [text.rstrip("。")] if len(text) <= 8 else []
    if kind == "text":
        return [text] if 0 < len(text) <= 12 and not re.search(r"[，,]|不|怎么|什么", text) and not NOT_NAMES.match(text) else []
    return list(names(after(clause, clause.start + found.start("value")), scene)) if len(text) <= 16 else []


# ── names, kin, age, work ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _favourite(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    found = _FAVOURITE.match(clause.text) or _FAVOURITE_OF.match(clause.text)
    if found is None or not lexicon.knows("favorite"):
        return False
    start = clause.start + found.start("who")
    who = names(trimmed(clause.between(start, clause.start + found.end("who"))), scene) or scene.subject or (scene.speaker,)
    what = slice_of(found, "what", clause, scene)
    if re.search(r"[，,]|不是", clause.text) or len(what) > 16:
        return False
    for subject in who:
        for value in re.split(r"[和、与]", what) if len(what) <= 10 else [what]:
            scene.fact(subject, "favorite", value, span_of(clause), Held(confidence=0.9), of=slice_of(found, "of", clause, scene))
    scene.subject = who
    return True


def _age(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    found = _AGE.search(clause.text)
    if found is None or not lexicon.knows("age") or "快" in clause.text[max(0, found.start() - 1) : found.start("age")]:
        return False
    lead = clause.text[: found.start()]
    if re.search(r"时|那年|以前|之前|才能|以上|以下|大[了]?$|小[了]?$|比|不到|超过", lead) or NEGATION.search(lead):
        return False
    value = scene.text[clause.start + found.start("age") : clause.start + found.end("age")]
    for subject in subjects(clause, clause.start + found.start(), scene):
        scene.fact(subject, "age", f"{value}岁", span_of(clause))
    return False


_AT_ORG = re.compile(r"(?:是|担任|当|做)(?P<org>[^，是的]{2,14})的(?P<title>[^，的]{2,10})$")


def _at_organisation(found: re.Match[str], clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    """李明是星辰科技的产品经理."""
    if (
        not OCCUPATION.search(found["title"])
        or NOT_OCCUPATION.search(found["title"])
        or not (ORG_ENDINGS.search(found["org"]) or re.search(r"[A-Za-z]", found["org"]))
    ):
        return False
    held = standing(clause.text[: found.start()], clause, scene, Claimed("job_title"))
    for subject in subjects(clause, clause.start + found.start(), scene) if held else ():
        scene.fact(subject, "job_title", slice_of(found, "title", clause, scene), span_of(clause), held or Held())
        if lexicon.knows("works_at"):
            scene.fact(subject, "works_at", slice_of(found, "org", clause, scene), span_of(clause), held or Held())
    return held is not None


_IS_OCCUPATION = re.compile(r"(?:是|当|做|在做|成为了?|当上了?)(?:一?[名个位]|我们的?|公司的?)?(?P<title>[^，的是]{2,12})$")


def _employs(place: str, clause: Clause) -> bool:
    """Whether a place of work is a named organisation rather than a town."""
    start = clause.start + clause.text.find(place)
    tags = {word.tag for word in clause.between(start, start + len(place))}
    return bool(ORG_ENDINGS.search(place) or tags & {"ORG", "nz"} or re.search(r"[A-Za-z]", place))


def _occupation(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    whole = _AT_ORG.search(clause.text)
    if whole and lexicon.knows("job_title") and _at_organisation(whole, clause, scene, lexicon):
        return True
    found = _IS_OCCUPATION.search(clause.text)
    if found is None or not lexicon.knows("job_title"):
        return False
    title = re.sub(r"^(?:一?[名个位])", "", slice_of(found, "title", clause, scene))
    if not OCCUPATION.search(title) or NOT_OCCUPATION.search(title) or title in KIN or re.search(r"好|大家|朋友", title):
        return False
    lead = clause.text[: found.start()]
    held = standing(lead, clause, scene, Claimed("job_title"))
    if held is None:
        return False
    position = clause.start + found.start()
    place = re.search(r"在([^，]{2,14})$", lead)
    if place:
        position = clause.start + place.start()
    for subject in subjects(clause, position, scene):
        if is_person(subject, before(clause, position), scene):
            scene.fact(subject, "job_title", title, span_of(clause), held)
            if place and lexicon.knows("works_at") and _employs(place[1], clause):
                scene.fact(
                    subject, "works_at", scene.text[clause.start + place.start(1) : clause.start + place.end(1)], span_of(clause), held
                )
    return False


_BORN = re.compile(r"(?:(?:出生于|生于|出生在|诞生于|出生的?)|生日(?:是|在|：)?|出生)")


def _born(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    found = _BORN.search(clause.text)
    if found is None or not lexicon.knows("born_on"):
        return False
    if not re.search(r"年", clause.text):
        return False
    values = value_in("born_on", "date", scene.text[clause.start : clause.end], scene, clause.start)
    first = min([time.start for time in scene.times(clause.start, clause.end)] + [clause.start + found.start()])
    for subject in subjects(clause, first, scene) if values else ():
        scene.fact(subject, "born_on", values[0], span_of(clause))
    return bool(values)
