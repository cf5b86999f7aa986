"""Triples from Chinese nouns: attributes (X的价格是Y), kinship (我姐姐叫王敏), names, ages, occupations, favourites."""

from __future__ import annotations

import re
from functools import lru_cache

from graphmem.language.chinese import Clause, Sentence
from graphmem.language.chinese_facts import TELLING, standing
from graphmem.language.chinese_grammar import CHINESE, FILLER_IS_SUBJECT, NOUN_RELATIONS
from graphmem.language.chinese_names import after, before, is_person, kin_name, names, owner_name, subjects, trimmed
from graphmem.language.chinese_words import FIRST, INTENDED, KIN, NEGATION, NOT_OCCUPATION, OCCUPATION, ORG_ENDINGS, PETS, alternatives
from graphmem.language.english_facts import bounds
from graphmem.language.english_words import KIN_RELATION
from graphmem.language.lexicon import Lexicon
from graphmem.language.scene import Held, Scene
from graphmem.language.values import value_in

_IS = r"(?:现在|目前|当前|已经|暂时|大概|大约|一共|总共|就|都|也|正式|刚刚|刚)*(?:是|为|叫做|叫|：|:|定在|定为|设在|有|等于|达到|达|约|只有|变成了?|改成了?|改为了?|改到了?|调整[为到]了?|提高到了?|提升到了?|增加到了?|涨到了?|上涨到了?|上调[到至]了?|降到了?|降低到了?|下降到了?|下调[到至]了?|减少到了?|减到了?|缩减到了?|升级到了?|更新到了?|推迟到了?|延长到了?|延期到了?|提前到了?|砍到了?|压缩到了?|追加到了?|加到了?|翻到了?|换成了?|从[^，]{1,14}?(?:到|至|为|成)了?|由[^，]{1,14}?(?:到|至|为|成)了?|在)"
_CHANGED = re.compile(r"改|调|提高|提升|增加|涨|降|减|升级|更新|推迟|延|提前|砍|压缩|追加|加到|翻|换|变|从|由")
_NAMED = re.compile(
    r"^(?P<who>.{0,14}?)(?:的)?(?:名字|大名|全名|真名|本名|姓名)?(?:叫做|叫作|叫|名叫|名为|是叫|名字是|姓名是|大名是)(?P<name>[^的，,。！!？?\s]{1,12})$"
)
_AGE = re.compile(
    r"(?:今年|现在|已经|刚|刚满|快|满|都|才|马上)*(?P<age>\d{1,3}|[一二两三四五六七八九十百零半]{1,5})(?:周岁|岁)(?:半)?(?:了|啦)?(?=$|[，,、和也])"
)
_FAVOURITE = re.compile(
    r"(?P<who>.{0,12}?)最(?:喜欢|爱|喜爱|中意|钟爱)(?:吃|喝|看|听|玩|读|去)?的(?P<of>[^是，]{1,8}?)(?:就是|是|还是|一直是|：|为|叫)(?P<what>.+)$"
)
_FAVOURITE_OF = re.compile(
    r"^(?P<what>.{1,12}?)(?:就是|是|一直是)(?P<who>.{1,8}?)最(?:喜欢|爱|喜爱|中意)(?:吃|喝|看|听|玩|读|去)?的(?P<of>.{1,8})$"
)
_IS_KIN = re.compile(
    rf"^(?P<name>.{{1,8}}?)(?:就)?是(?P<owner>.{{1,8}}?)(?:的)?(?:亲|大|小|二|最好的|好)?(?P<kin>{alternatives(' '.join((*KIN, *PETS)))})$"
)
_KIN_IS = re.compile(
    rf"^(?P<owner>.{{1,8}}?)(?:家)?(?:的|有(?:一?[个只条位名]|两[个只条位名]|三[个只]|[两三]))?(?:亲|大|小|二)?(?P<kin>{alternatives(' '.join((*KIN, *PETS)))})(?:的名字)?(?:叫做|名叫|叫|是|名字是|：|:)(?P<name>.+)$"
)
_KIN_SAME = re.compile(r"^(?:他|她|它|名字|其中一个|大的|小的)?(?:的名字)?(?:名叫|叫做|叫|名字叫|名字是)(?P<name>[^，]{1,10})$")
_HAS_KIN = re.compile(
    rf"^(?P<owner>.{{1,8}}?)(?:有|养了?|领养了?|收养了?|买了)(?:一|两|三|四|几)?[个只条位名对](?:双胞胎|龙凤胎|可爱的)?(?P<kin>{alternatives(' '.join((*KIN, *PETS)))})$"
)
_JOINT = re.compile(
    r"^(?P<people>.{3,16}?)(?:就|都|已经|早就|是在|是)*(?:(?P<when>.*?))?(?P<what>结婚|领证|订婚|是夫妻|是兄弟|是姐妹|是兄妹|是姐弟|是双胞胎|是好朋友|是朋友|是闺蜜|是同事|是情侣|是好友|离婚|分手)(?:的|了|啦)?$"
)
_JOINT_RELATION = {
    "结婚": "married_to",
    "领证": "married_to",
    "是夫妻": "married_to",
    "订婚": "partner_of",
    "是情侣": "partner_of",
    "是兄弟": "sibling_of",
    "是姐妹": "sibling_of",
    "是兄妹": "sibling_of",
    "是姐弟": "sibling_of",
    "是双胞胎": "sibling_of",
    "是好朋友": "friend_of",
    "是朋友": "friend_of",
    "是闺蜜": "friend_of",
    "是好友": "friend_of",
    "是同事": "colleague_of",
    "离婚": "married_to",
    "分手": "partner_of",
}
_NOT_NAMES = re.compile(r"^(?:什么|谁|哪|我|你|他|她|它|这|那|不|没|在|去|来|做|很|个|一个|的|人|外卖|车|醒|停|好|作|苦|号)")


def read_nouns(sentence: Sentence, scene: Scene, lexicon: Lexicon) -> set[int]:
    """Learn what nouns say; returns the clauses (by start) that stated something."""
    told: set[int] = set()
    for clause in sentence.clauses:
        if clause.stance not in TELLING:
            continue
        count = len(scene.drafts)
        for read in (_favourite, _nickname, _kin, _joint, _name, _attribute, _age, _occupation, _born):
            if read(clause, scene, lexicon):
                break
        if len(scene.drafts) > count:
            told.add(clause.start)
    return told


def _span(clause: Clause) -> tuple[int, int]:
    return clause.start, clause.end


def _slice(match: re.Match[str], group: str, clause: Clause, scene: Scene) -> str:
    """A group in the characters of the turn, traditional ones kept."""
    return scene.text[clause.start + match.start(group) : clause.start + match.end(group)].strip(" 的了啊呢吧")


# ── attributes ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=8)
def _attribute_pattern(nouns: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], dict[str, str]]:
    table = dict(nouns)
    return re.compile(
        rf"(?P<owner>.*?)(?:的)?(?P<noun>{alternatives(' '.join(table))})(?:号码|金额|总额)?(?P<is>{_IS})(?P<value>.+)$"
    ), table


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
    for noun, relation in _EXTRA.items():
        if lexicon.knows(relation):
            kept[noun] = relation
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
    pattern, table = _attribute_pattern(_nouns(lexicon))
    text = clause.text
    found = pattern.match(text) or _changed_object(clause, table) or _bare(text, table)
    if found is None:
        return False
    relation = table[found["noun"]]
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
        else standing(text[: found.start("noun")], clause, None, scene, relation, "+" if _CHANGED.search(found["is"]) else "=")
    )
    values = value_in(
        relation, kind, scene.text[clause.start + found.start("value") : clause.end], scene, clause.start + found.start("value")
    )
    values = values or _text_value(relation, kind, found, clause, scene)
    for whose in owner if held else ():
        for value in values:
            pair = (value, whose) if relation in FILLER_IS_SUBJECT else (whose, value)
            scene.fact(pair[0], relation, pair[1], _span(clause), Held(confidence=0.85) if kind == "date" else held or Held())
    return bool(values)


def _changed_object(clause: Clause, table: dict[str, str]) -> re.Match[str] | None:
    """把预算提高到7000元, 把截止日期改成周五."""
    pattern = re.compile(
        rf"^(?:.{{0,10}}?)(?:把|将)(?P<owner>.*?)(?:的)?(?P<noun>{alternatives(' '.join(table))})(?P<is>{_IS})(?P<value>.+)$"
    )
    return pattern.match(clause.text) if re.search(r"[把将]", clause.text) and re.search(r"了$|了[^，]*$|已经", clause.text) else None


def _bare(text: str, table: dict[str, str]) -> re.Match[str] | None:
    """我的电话13800138000: a number right behind the noun."""
    return re.match(
        rf"(?P<owner>.*?)(?:的)?(?P<noun>{alternatives(' '.join(table))})(?P<is>)(?P<value>[+\d¥￥$][\d,.\-+ ]{{0,20}}.{{0,6}}|[\w.+-]+@[\w.-]+)$",
        text,
    )


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
    text = _slice(found, "value", clause, scene)
    if relation == "address":
        return [text] if len(text) <= 40 and re.search(r"[路街巷号楼室村镇区道弄]", text) else []
    if kind == "status":
        return [text.rstrip("。")] if len(text) <= 8 else []
    if kind == "text":
        return [text] if 0 < len(text) <= 12 and not re.search(r"[，,]|不|怎么|什么", text) and not _NOT_NAMES.match(text) else []
    return list(names(after(clause, clause.start + found.start("value")), scene)) if len(text) <= 16 else []


# ── names, kin, age, work ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _favourite(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    found = _FAVOURITE.match(clause.text) or _FAVOURITE_OF.match(clause.text)
    if found is None or not lexicon.knows("favorite"):
        return False
    start = clause.start + found.start("who")
    who = names(trimmed(clause.between(start, clause.start + found.end("who"))), scene) or scene.subject or (scene.speaker,)
    what = _slice(found, "what", clause, scene)
    if re.search(r"[，,]|不是", clause.text) or len(what) > 16:
        return False
    for subject in who:
        for value in re.split(r"[和、与]", what) if len(what) <= 10 else [what]:
            scene.fact(subject, "favorite", value, _span(clause), Held(confidence=0.9), of=_slice(found, "of", clause, scene))
    scene.subject = who
    return True


_NICK = re.compile(
    r"^(?P<who>.{0,10}?)(?:的)?(?:外号|绰号|小名|昵称|别名|乳名|网名|英文名)(?:就)?(?:叫做|叫|是|为|：)(?P<name>[^，]{1,10})$|^(?:大家|朋友们?|同学们?|同事们?|家里人|家人|别人|我们)(?:平时|一般|通常)?(?:都|一直)?(?:管|把)?(?P<whom>.{1,6}?)?叫(?:做)?(?P<whom2>我|他|她|它)?(?P<name2>[^，的]{1,8})$|^(?:也|又)(?:叫|被叫做|名)(?P<name3>[^，]{1,8})$"
)


def _nickname(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    found = _NICK.match(clause.text)
    if found is None or not lexicon.knows("nickname"):
        return False
    group = next(key for key in ("name", "name2", "name3") if found[key])
    whom = next((key for key in ("who", "whom", "whom2") if found[key]), None)
    who = (
        names(trimmed(clause.between(clause.start + found.start(whom), clause.start + found.end(whom))), scene)
        if whom
        else scene.subject or (scene.speaker,)
    )
    name = _slice(found, group, clause, scene)
    for subject in who:
        if name and not _NOT_NAMES.match(name):
            scene.fact(subject, "nickname", name, _span(clause))
    return True


def kin_facts(owner: str, kin: str, name: str, clause: Clause, scene: Scene) -> None:
    role, gender = KIN.get(kin, ("pet", ""))
    relation, named_first = KIN_RELATION[role]
    pair = (name, owner) if named_first else (owner, name)
    scene.meet(name, "Person", gender)
    scene.relate(owner, kin, name)
    if kin in PETS:
        scene.drafts[:] = [
            draft
            for draft in scene.drafts
            if not (draft.properties.get("relation") == "has_pet" and str(draft.properties.get("object")).endswith(kin))
        ]
    if owner != scene.speaker:
        scene.group = (owner, name)
    scene.fact(pair[0], relation, pair[1], _span(clause), Held(confidence=0.9))


def _kin(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    """我姐姐叫王敏, 王敏是我姐姐, 我有两个孩子，叫小明和小红."""
    text = clause.text
    has = _HAS_KIN.match(text)
    if has:
        owner = owner_name(_trim_lead(has["owner"]), scene)
        scene.pending = (owner, has["kin"]) if owner else None
        return False
    if scene.pending and (same := _KIN_SAME.match(text)):
        return _kin_names(scene.pending[0], scene.pending[1], _slice(same, "name", clause, scene), clause, scene)
    found = _KIN_IS.match(text)
    if found and not NEGATION.search(text[: found.end("kin")]):
        owner = owner_name(_trim_lead(found["owner"]), scene)
        name = _slice(found, "name", clause, scene)
        if owner and not OCCUPATION.search(name) and _looks_named(name, clause, clause.start + found.start("name")):
            return _kin_names(owner, found["kin"], name, clause, scene)
    found = _IS_KIN.match(text)
    if found:
        owner = owner_name(_trim_lead(found["owner"]), scene)
        people = names(trimmed(clause.between(clause.start, clause.start + found.end("name"))), scene)
        for name in people if owner else ():
            if owner and (re.search(r"[\u4e00-\u9fffA-Za-z]", name)) and name not in KIN and "的" not in name:
                kin_facts(owner, found["kin"], name, clause, scene)
        scene.subject = people or scene.subject
        return bool(people and owner)
    return _appositive(clause, scene)


def _trim_lead(text: str) -> str:
    return re.sub(r"^(?:现在|目前|今年|其实|因为|那个|这|那)", "", text)


def _looks_named(name: str, clause: Clause, start: int) -> bool:
    words = clause.between(start, clause.end)
    tagged = any(word.tag in {"PER", "nz", "nr", "nw", "LOC", "ORG"} for word in words)
    plain = all(word.tag in {"n", "a", "v", "xc", "m", "s", "vn", "c", "w", "q", "t", "TIME", "i", "j", "an", "f"} for word in words)
    called = "叫" in clause.text[: start - clause.start]
    return (
        bool(name)
        and len(name) <= 14
        and not _NOT_NAMES.match(name)
        and "的" not in name
        and (tagged or (called and plain) or bool(re.match(r"^[A-Z][a-z]+", name)))
    )


def _kin_names(owner: str, kin: str, text: str, clause: Clause, scene: Scene) -> bool:
    given = [part for part in re.split(r"[和与跟、]|以及", text) if part and len(part) <= 10]
    for name in given:
        if not _NOT_NAMES.match(name):
            kin_facts(owner, kin, name, clause, scene)
    scene.subject = tuple(given) or scene.subject
    if len(given) > 1:
        scene.group = tuple(given)
    return bool(given)


_PET_CALLED = re.compile(
    r"(?:养|领养|收养|有|买)(?:了|着|过)?(?:一|两)?[只条个]?(?:叫做|名叫|叫)(?P<name>.{1,6}?)的(?P<kin>.{0,4}?(?:猫|狗|兔子?|犬|鼠|龟|鸟|鹦鹉|柯基|金毛|泰迪|边牧|仓鼠))$"
)
_CALLED_PET = re.compile(
    r"(?:养|领养|收养|有|买)(?:了|着|过)?(?:一|两)?[只条个]?(?P<kin>.{0,4}?(?:猫|狗|兔子?|犬|鼠|龟|鸟|鹦鹉|柯基|金毛|泰迪|边牧|仓鼠))(?:名叫|叫做|叫)(?P<name>.{1,6})$"
)


def _appositive(clause: Clause, scene: Scene) -> bool:
    """A named relative inside a clause (我妹妹小雨在…) and pets named on the way (一只叫团子的橘猫)."""
    pet = _PET_CALLED.search(clause.text) or _CALLED_PET.search(clause.text)
    if pet and not NEGATION.search(clause.text[: pet.start()]) and not INTENDED.search(clause.text[: pet.start()]):
        for owner in subjects(clause, clause.start + pet.start(), scene):
            name = _slice(pet, "name", clause, scene)
            scene.fact(owner, "has_pet", name, _span(clause), Held(confidence=0.9))
            scene.meet(name, "Pet")
        return True
    for index, word in enumerate(clause.words):
        if word.text in KIN and index > 0 and index + 1 < len(clause.words):
            following, leading = clause.words[index + 1], clause.words[index - 1]
            leading = clause.words[index - 2] if leading.text == "的" and index > 1 else leading
            owner = owner_name(leading.text, scene) if leading.tag in {"r", "PER"} else None
            if owner and following.tag == "PER" and 1 < len(following.text) <= 5:
                kin_facts(owner, word.text, scene.text[following.start : following.end], clause, scene)
    return False


def _joint(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    """我和刘洋是2018年8月12日结婚的, 小明跟小红是好朋友."""
    found = _JOINT.match(clause.text)
    if found is None or NEGATION.search(clause.text[: found.start("what")]) or INTENDED.search(clause.text[: found.start("what")]):
        return False
    relation = _JOINT_RELATION[found["what"]]
    words = [
        word
        for word in clause.between(clause.start, clause.start + found.start("what"))
        if word.tag not in {"TIME", "d", "v", "u", "p"} or word.text in {"和", "跟", "与"}
    ]
    people = names(words, scene)
    if len(people) != 2 or not lexicon.knows(relation) or any(len(name) > 8 for name in people):
        return False
    since, _, point = bounds(scene.times(clause.start, clause.end), scene)
    when = since or point
    if when and when.start and when.start > scene.turn.said_at:
        return False
    held = (
        Held(act="end", until=when, confidence=0.85)
        if found["what"] in {"离婚", "分手"}
        else Held(since=when, confidence=0.85, reported_by=clause.source)
    )
    scene.fact(people[0], relation, people[1], _span(clause), held)
    scene.group = people
    return True


def _name(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    found = _NAMED.match(clause.text)
    if found is None or not lexicon.knows("name"):
        return False
    name = _slice(found, "name", clause, scene)
    if not _looks_named(name, clause, clause.start + found.start("name")) or NEGATION.search(found["who"]) or INTENDED.search(found["who"]):
        return False
    words = trimmed(clause.between(clause.start, clause.start + found.end("who")))
    who = names(words, scene) if words else scene.subject
    for subject in who:
        if subject != name:
            scene.fact(subject, "name", name, _span(clause))
    scene.subject = who or scene.subject
    return bool(who)


def _age(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    found = _AGE.search(clause.text)
    if found is None or not lexicon.knows("age") or "快" in clause.text[max(0, found.start() - 1) : found.start("age")]:
        return False
    lead = clause.text[: found.start()]
    if re.search(r"时|那年|以前|之前|才能|以上|以下|大[了]?$|小[了]?$|比|不到|超过", lead) or NEGATION.search(lead):
        return False
    value = scene.text[clause.start + found.start("age") : clause.start + found.end("age")]
    for subject in subjects(clause, clause.start + found.start(), scene):
        scene.fact(subject, "age", f"{value}岁", _span(clause))
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
    held = standing(clause.text[: found.start()], clause, None, scene, "job_title")
    for subject in subjects(clause, clause.start + found.start(), scene) if held else ():
        scene.fact(subject, "job_title", _slice(found, "title", clause, scene), _span(clause), held or Held())
        if lexicon.knows("works_at"):
            scene.fact(subject, "works_at", _slice(found, "org", clause, scene), _span(clause), held or Held())
    return held is not None


_IS_OCCUPATION = re.compile(r"(?:是|当|做|在做|成为了?|当上了?)(?:一?[名个位]|我们的?|公司的?)?(?P<title>[^，的是]{2,12})$")


def _occupation(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    whole = _AT_ORG.search(clause.text)
    if whole and lexicon.knows("job_title") and _at_organisation(whole, clause, scene, lexicon):
        return True
    found = _IS_OCCUPATION.search(clause.text)
    if found is None or not lexicon.knows("job_title"):
        return False
    title = re.sub(r"^(?:一?[名个位])", "", _slice(found, "title", clause, scene))
    if not OCCUPATION.search(title) or NOT_OCCUPATION.search(title) or title in KIN or re.search(r"好|大家|朋友", title):
        return False
    lead = clause.text[: found.start()]
    held = standing(lead, clause, None, scene, "job_title")
    if held is None:
        return False
    position = clause.start + found.start()
    place = re.search(r"在([^，]{2,14})$", lead)
    if place:
        position = clause.start + place.start()
    for subject in subjects(clause, position, scene):
        if is_person(subject, before(clause, position), scene):
            scene.fact(subject, "job_title", title, _span(clause), held)
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
        scene.fact(subject, "born_on", values[0], _span(clause))
    return bool(values)


__all__ = ["kin_facts", "kin_name", "read_nouns"]
