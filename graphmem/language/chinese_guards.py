"""What each relation asks of its subject and object in Chinese, beyond the kind that the ontology declares."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from graphmem.language.chinese import Clause, Word
from graphmem.language.chinese_words import (
    EVENT_NOUNS,
    GROUP_ENDINGS,
    KIN,
    LANGUAGE,
    OCCUPATION,
    ORG_ENDINGS,
    OWNABLE,
    PETS,
    PLAYED,
    SCHOOL_ENDINGS,
)
from graphmem.language.lexicon import Sense

_PLACE = re.compile(r"[省市县区镇村路街巷州岛国湾港山城乡庄道园屯旗盟]$")


@dataclass(frozen=True, slots=True)
class Match:
    """A cue found in a clause: what it means, its characters in the piece, and the object where the cue goes round it."""

    sense: Sense
    cue: str
    start: int
    end: int
    inside: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A subject and an object that a match joins, with what is around them."""

    subject: str
    value: str
    words: tuple[Word, ...]
    person: bool
    match: Match
    clause: Clause


def fits(found: Found) -> bool:
    return _GUARDS.get(found.match.sense.relation, _free)(found)


def _tags(found: Found) -> set[str]:
    return {word.tag for word in found.words}


def _is_place(found: Found) -> bool:
    return (
        (bool(_tags(found) & {"LOC", "s", "ns"}) or bool(_PLACE.search(found.value)))
        and len(found.value) <= 12
        and not re.search(r"的|家$|附近|地方|酒店", found.value)
    )


def _free(found: Found) -> bool:
    return (
        len(found.value) <= 12
        and len(found.match.cue.replace("…", "")) >= 2
        and not found.clause.text[found.match.end - found.clause.start :].startswith("的")
    )


def _organisation(found: Found) -> bool:
    named = (
        bool(_tags(found) & {"ORG", "nz", "LOC", "PER", "xc"})
        or bool(ORG_ENDINGS.search(found.value))
        or bool(re.search(r"[A-Za-z]", found.value))
    )
    return (
        found.person
        and named
        and len(found.value) <= 20
        and not SCHOOL_ENDINGS.search(found.value.removesuffix("大学"))
        and not (GROUP_ENDINGS.search(found.value) and found.match.cue in {"加入", "加入了", "退出"})
    )


def _works(found: Found) -> bool:
    cue = found.match.cue
    if cue in {"公司", "单位", "工作单位", "雇主", "在…学习", "在…做", "离开"}:
        return cue in {"离开", "在…做"} and _organisation(found) and bool(ORG_ENDINGS.search(found.value) or "ORG" in _tags(found))
    if re.search(r"家$|家里|方面|领域|行业|上$|下$|时间", found.value) or found.value in {"北京", "上海", "广州", "深圳"}:
        return False
    if cue in {"在…当", "在…担任", "在…教书", "在…实习", "在…工作", "在…上班", "在…任职"}:
        place_only = all(word.tag in {"LOC", "s"} for word in found.words) and not ORG_ENDINGS.search(found.value)
        return found.person and not place_only and len(found.value) <= 20
    return _organisation(found)


def _studies(found: Found) -> bool:
    return found.person and bool(SCHOOL_ENDINGS.search(found.value) or "ORG" in _tags(found)) and found.match.cue not in {"学校", "母校"}


def _person_pair(found: Found) -> bool:
    return (
        found.person
        and (bool(_tags(found) & {"PER", "nr"}) or found.value == found.subject or 2 <= len(found.value) <= 4)
        and found.match.cue not in KIN
        and not re.search(r"的", found.match.cue.replace("是…的", ""))
    )


def _spouse(found: Found) -> bool:
    return found.match.cue in {
        "嫁给",
        "嫁给了",
        "娶",
        "娶了",
        "和…结婚",
        "跟…结婚",
        "与…结婚",
        "和…领证",
        "和…是夫妻",
        "和…离婚",
        "跟…离婚",
        "与…离婚",
    } and _person_pair(found)


def _spoken(found: Found) -> bool:
    return (
        found.person
        and bool(LANGUAGE.search(found.value))
        and found.value not in {"说话", "话", "电话", "笑话", "语", "的话"}
        and len(found.value) <= 6
    )


def _played(found: Found) -> bool:
    return found.person and (found.value in PLAYED or (found.match.cue == "演奏" and len(found.value) <= 6))


def _pet(found: Found) -> bool:
    tail = re.split("的", found.value)[-1]
    return (
        found.person
        and not found.value.startswith("叫")
        and (tail in PETS or any(tail.endswith(pet) for pet in PETS if len(pet) > 1) or tail[-1:] in "猫狗兔鼠")
        and len(tail) <= 6
    )


def _owned(found: Found) -> bool:
    if found.match.cue in {"拥有", "名下有", "持有"}:
        return len(found.value) <= 15
    return (
        found.person
        and bool(OWNABLE.search(found.value))
        and len(found.value) <= 15
        and not found.value.endswith(("上车", "火车", "下车", "公交车", "打车"))
    )


def _member(found: Found) -> bool:
    return (
        found.person
        and (bool(GROUP_ENDINGS.search(found.value)) or found.match.cue.startswith("是…"))
        and len(found.value) <= 15
        and (found.match.cue.startswith("是…") or not ORG_ENDINGS.search(found.value.removesuffix("社").removesuffix("俱乐部")))
    )


def _located(found: Found) -> bool:
    if found.match.cue == "在":
        return (
            not found.person
            and _is_place(found)
            and bool(
                re.search(
                    r"(?:公司|总部|办公室|工厂|店|学校|大学|仓库|医院|酒店|博物馆|餐厅|机房|服务器|分部|研究所|公园|车站|机场|图书馆|中心|家|会场)$",
                    found.subject,
                )
            )
            and found.clause.text.endswith(found.value)
        )
    return (
        not (found.person and found.subject.endswith(("我", "他", "她")))
        and len(found.value) <= 15
        and found.match.cue not in {"位置", "地点", "所在地"}
    )


def _part_of(found: Found) -> bool:
    return (
        found.match.cue not in {"母公司", "旗下"}
        and len(found.value) <= 15
        and (
            bool(_tags(found) & {"ORG", "nz"})
            or bool(ORG_ENDINGS.search(found.value))
            or bool(re.search(r"[A-Za-z]|部$|组$|团队$", found.value))
        )
    )


def _used(found: Found) -> bool:
    latin = bool(re.search(r"[A-Za-z]", found.value))
    long_cue = found.match.cue not in {"用", "使用", "在用", "不用"}
    return (
        len(found.value) <= 20
        and (
            latin
            or (long_cue and "nz" in _tags(found))
            or (found.match.cue in {"使用", "用的是", "采用", "改用"} and len(found.value) <= 8)
        )
        and not found.clause.text[found.match.end - found.clause.start :].endswith(("写", "回答", "回复"))
    )


def _depends(found: Found) -> bool:
    return (found.match.cue != "需要" and len(found.value) <= 20 and not found.person) or (
        found.match.cue in {"依赖", "依赖于"} and bool(re.search(r"[A-Za-z]", found.value))
    )


def _managed(found: Found) -> bool:
    if found.match.cue == "带":
        return found.person and bool(re.search(r"(?:团队|小组|组|班|部门|队)$", found.value))
    return (len(found.value) <= 15 and found.match.cue != "是…的领导") or found.match.cue.startswith("是…")


def _visited(found: Found) -> bool:
    done = found.match.cue.endswith(("过", "了", "游")) or bool(
        re.search(r"了|过", found.clause.text[found.match.start - found.clause.start :])
    )
    return (
        found.person
        and done
        and (
            bool(_tags(found) & {"LOC", "ns"})
            or bool(re.search(r"(?:国|市|省|岛|山|湖|寺|宫|城|博物馆|美术馆|公园|古镇|故居|长城|海洋馆|动物园)$", found.value))
        )
        and len(found.value) <= 12
        and not ORG_ENDINGS.search(found.value.removesuffix("博物馆").removesuffix("美术馆"))
    )


def _attended(found: Found) -> bool:
    done = found.match.cue.endswith(("过", "了")) or bool(re.search(r"了|过", found.clause.text[found.match.start - found.clause.start :]))
    return (
        found.person
        and done
        and len(found.value) <= 20
        and (bool(EVENT_NOUNS.search(found.value)) or found.match.cue not in {"听了", "去看了", "参与了"})
    )


def _allergic(found: Found) -> bool:
    return found.match.cue.startswith("对") and len(found.value) <= 8


def _titled(found: Found) -> bool:
    return (
        found.person
        and len(found.value) <= 15
        and (bool(OCCUPATION.search(found.value)) or found.match.cue in {"担任", "升任", "晋升为", "升为", "被提拔为", "升职为"})
        and found.match.cue not in {"职位", "职务", "岗位", "职业"}
    )


def _capital(found: Found) -> bool:
    return found.match.cue.startswith("是…")


def _created(found: Found) -> bool:
    return (
        found.match.cue != "做了"
        and len(found.value) <= 20
        and found.match.cue != "作者"
        and (
            found.match.sense.inverse
            or "《" in found.clause.text
            or bool(_tags(found) & {"nz", "nw", "ORG", "PER"})
            or found.match.cue in {"创办了", "创立了", "创建了", "创办", "创立", "发明了", "发明", "设计了", "开发了", "编写了"}
        )
    )


def _friend(found: Found) -> bool:
    return found.match.cue.startswith(("和…", "跟…", "与…")) and _person_pair(found)


def _never(_: Found) -> bool:
    return False


_GUARDS: dict[str, Callable[[Found], bool]] = {
    "lives_in": lambda found: found.person and _is_place(found) and found.match.cue not in {"居住地", "住址城市"},
    "works_at": _works, "studies_at": _studies, "married_to": _spouse, "partner_of": _friend, "friend_of": _friend, "colleague_of": _friend, "sibling_of": _friend,
    "parent_of": _never, "child_of": _never, "speaks": _spoken, "plays": _played, "has_pet": _pet, "owns": _owned, "member_of": _member, "located_in": _located,
    "part_of_org": _part_of, "uses": _used, "depends_on": _depends, "manages": _managed, "visited": _visited, "attended": _attended, "allergic_to": _allergic,
    "job_title": _titled, "capital_of": _capital, "created": _created, "name": _never, "nickname": _never, "favorite": _never, "likes": _never, "dislikes": _never,
    "born_on": _never, "goal_of": _never, "knows": _never, "eats": _never, "drinks": _never, "includes": _never, "phone": _never, "email": _never, "address": _never, "age": _never,
    "hobby": _never, "skill": _never, "reports_to": _never, "treats": _never, "teaches": _never, "born_in": lambda found: found.person and _is_place(found) and found.match.cue == "出生在",
    "hometown": lambda found: found.person and _is_place(found) and found.match.cue in {"来自", "老家在"},
    "has_condition": lambda found: found.person and found.match.cue in {"患有", "确诊", "被诊断为"} and len(found.value) <= 10,
}  # fmt: skip
