"""Relatives, friends, pets and names in Chinese: 我姐姐叫王敏, 一只叫团子的橘猫, 大家都叫我老马, 我和刘洋2018年结婚."""

from __future__ import annotations

import re

from graphmem.language.chinese import Clause
from graphmem.language.chinese_names import names, owner_name, slice_of, span_of, subjects, trimmed
from graphmem.language.chinese_words import INTENDED, KIN, NEGATION, NOT_NAMES, OCCUPATION, PETS, alternatives
from graphmem.language.english_facts import bounds
from graphmem.language.english_words import KIN_RELATION
from graphmem.language.lexicon import Lexicon
from graphmem.language.scene import Held, Scene

_NAMED = re.compile(
    r"^(?P<who>.{0,14}?)(?:的)?(?:名字|大名|全名|真名|本名|姓名)?(?:叫做|叫作|叫|名叫|名为|是叫|名字是|姓名是|大名是)(?P<name>[^的，,。！!？?\s]{1,12})$"
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
_NICK = re.compile(
    r"^(?P<who>.{0,10}?)(?:的)?(?:外号|绰号|小名|昵称|别名|乳名|网名|英文名)(?:就)?(?:叫做|叫|是|为|：)(?P<name>[^，]{1,10})$|^(?:大家|朋友们?|同学们?|同事们?|家里人|家人|别人|我们)(?:平时|一般|通常)?(?:都|一直)?(?:管|把)?(?P<whom>.{1,6}?)?叫(?:做)?(?P<whom2>我|他|她|它)?(?P<name2>[^，的]{1,8})$|^(?:也|又)(?:叫|被叫做|名)(?P<name3>[^，]{1,8})$"
)


def nickname(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
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
    name = slice_of(found, group, clause, scene)
    for subject in who:
        if name and not NOT_NAMES.match(name):
            scene.fact(subject, "nickname", name, span_of(clause))
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
    scene.fact(pair[0], relation, pair[1], span_of(clause), Held(confidence=0.9))


def kin(clause: Clause, scene: Scene, _: Lexicon) -> bool:
    """我姐姐叫王敏, 王敏是我姐姐, 我有两个孩子，叫小明和小红."""
    text = clause.text
    has = _HAS_KIN.match(text)
    if has:
        owner = owner_name(_trim_lead(has["owner"]), scene)
        scene.pending = (owner, has["kin"]) if owner else None
        return False
    if scene.pending and (same := _KIN_SAME.match(text)):
        return _kin_names(scene.pending[0], scene.pending[1], slice_of(same, "name", clause, scene), clause, scene)
    found = _KIN_IS.match(text)
    if found and not NEGATION.search(text[: found.end("kin")]):
        owner = owner_name(_trim_lead(found["owner"]), scene)
        name = slice_of(found, "name", clause, scene)
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
        and not NOT_NAMES.match(name)
        and "的" not in name
        and (tagged or (called and plain) or bool(re.match(r"^[A-Z][a-z]+", name)))
    )


def _kin_names(owner: str, kin: str, text: str, clause: Clause, scene: Scene) -> bool:
    given = [part for part in re.split(r"[和与跟、]|以及", text) if part and len(part) <= 10]
    for name in given:
        if not NOT_NAMES.match(name):
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
            name = slice_of(pet, "name", clause, scene)
            scene.fact(owner, "has_pet", name, span_of(clause), Held(confidence=0.9))
            scene.meet(name, "Pet")
        return True
    for index, word in enumerate(clause.words):
        if word.text in KIN and index > 0 and index + 1 < len(clause.words):
            following, leading = clause.words[index + 1], clause.words[index - 1]
            leading = clause.words[index - 2] if leading.text == "的" and index > 1 else leading
            whose = owner_name(leading.text, scene) if leading.tag in {"r", "PER"} else None
            if whose and following.tag == "PER" and 1 < len(following.text) <= 5:
                kin_facts(whose, word.text, scene.text[following.start : following.end], clause, scene)
    return False


def joint(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
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
    scene.fact(people[0], relation, people[1], span_of(clause), held)
    scene.group = people
    return True


def name_of(clause: Clause, scene: Scene, lexicon: Lexicon) -> bool:
    found = _NAMED.match(clause.text)
    if found is None or not lexicon.knows("name"):
        return False
    name = slice_of(found, "name", clause, scene)
    if not _looks_named(name, clause, clause.start + found.start("name")) or NEGATION.search(found["who"]) or INTENDED.search(found["who"]):
        return False
    words = trimmed(clause.between(clause.start, clause.start + found.end("who")))
    who = names(words, scene) if words else scene.subject
    for subject in who:
        if subject != name:
            scene.fact(subject, "name", name, span_of(clause))
    scene.subject = who or scene.subject
    return bool(who)
