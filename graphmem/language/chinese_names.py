"""Who and what Chinese words name: pronouns, kinship, measures, and the noun phrases before and behind a cue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphmem.language.chinese import Clause, Word
from graphmem.language.chinese_words import (
    ADVERBS,
    COUNTED,
    EMPTY_SUBJECTS,
    FIRST,
    INTENDED,
    KIN,
    LINKS,
    PARTICLES,
    PETS,
    PLAYED,
    PLURAL,
    RELATIVES,
    SECOND,
    THIRD,
)
from graphmem.language.scene import Scene

NOUN_TAGS = frozenset({"n", "nz", "nw", "nr", "ns", "nt", "PER", "LOC", "ORG", "r", "s", "m", "q", "vn", "an", "a", "xc", "f", "j", "i"})
_NAME_TAGS = frozenset({"PER", "nz", "nw", "LOC", "ORG"})
_TRANSPARENT = re.compile(
    r"^(?:不|没有?|未|别|不会|不能|不想|还没有?|从未|从来没有?|不再|并不|会|能|想|要|可以|可能|是|将|应该|打算|计划|准备|希望|开始|也|都|就|在|从|把|被|已|给|对|为|用|当)+$"
)
_OWN = re.compile(
    r"^(?:我们家的?|我家的?|我的|我们的|咱们的|咱家的?|本人的|自己的|我们(?=公司|团队|部门|组|小组|学校|班|项目|店|厂|单位|这))"
)
_OWNER_KIN = re.compile(
    rf"^(?P<owner>.+?)(?:家)?的?(?P<kin>{'|'.join(sorted((*KIN, *RELATIVES, *PETS), key=len, reverse=True))})(?P<name>.*)$"
)
_BARE_KIN = re.compile(rf"^(?P<kin>{'|'.join(sorted(KIN, key=len, reverse=True))})(?P<name>.*)$")
_TITLED = re.compile(r"^(?:患者|病人|客户|顾客|用户|同学|邻居|员工|租客|会员|学员)(?=[\u4e00-\u9fff]{2,4}$)")


def parts(words: Sequence[Word]) -> Iterator[list[Word]]:
    """The words between 和, 跟, 、 and the like."""
    part: list[Word] = []
    for word in words:
        if word.text in LINKS or (word.tag == "w" and word.text in "、/&"):
            if part:
                yield part
            part = []
        else:
            part.append(word)
    if part:
        yield part


def trimmed(words: Sequence[Word]) -> list[Word]:
    """Without adverbs, times and particles at either end."""
    kept = list(words)
    while kept and (_loose(kept[0]) or kept[0].tag == "u" or kept[0].text in {"的", "之"}):
        kept = kept[1:]
    while kept and (_loose(kept[-1]) or (kept[-1].tag in {"u", "xc", "w"} and kept[-1].text.strip(PARTICLES + "。！!？?.，") == "")):
        kept = kept[:-1]
    return kept


def _loose(word: Word) -> bool:
    return (
        (word.tag in {"TIME", "t", "d", "c", "p"} and word.text not in FIRST)
        or word.text in ADVERBS
        or word.tag == "w"
        or (bool(_TRANSPARENT.match(word.text)) and word.tag in {"v", "d", "p", "vd", "c"})
    )


def before(clause: Clause, position: int) -> list[Word]:
    """The noun phrase that stands before a character of the piece: the subject of the cue there."""
    words = list(clause.between(clause.start, position))
    text = "".join(word.text for word in words)
    if (when := re.search(r"(?:的时候|之前|之后|以后|以前|期间)(?=.)", text)) and not text.startswith("以前"):
        words = list(clause.between(clause.start + when.end(), position))
    words = trimmed(_without_places(words))
    run: list[Word] = []
    for word in reversed(words):
        joins = word.text in LINKS or word.text in {"、", "的", "之", "-", "·"} or (word.tag == "p" and word.text in {"和", "跟", "与"})
        if run and run[0].text in FIRST | SECOND | set(THIRD) and not joins:
            break
        relative = word.tag == "v" and run and run[0].text == "的"
        if word.tag in NOUN_TAGS or joins or relative or (word.tag == "v" and len(word.text) >= 2 and word.text[0] in "我他她你"):
            run.insert(0, word)
        elif (not run and (word.tag in {"TIME", "d", "v"})) or (
            word.tag in {"TIME", "d"} and run and any(item.tag in {"r", "PER"} for item in words[: words.index(word)])
        ):
            continue
        else:
            break
    return trimmed(run)


def _without_places(words: list[Word]) -> list[Word]:
    """Without phrases such as 从武汉 or 在公司, which are no subjects."""
    kept: list[Word] = []
    skipping = False
    for word in words:
        if word.tag == "p" and word.text in {"从", "自", "由", "在", "对", "向", "往", "为", "给", "到", "于", "自从"}:
            skipping = bool(kept) or word.text in {"从", "自", "自从"}
            if skipping:
                continue
        elif skipping and word.tag in NOUN_TAGS | {"TIME"} and word.tag != "r":
            continue
        skipping = False
        kept.append(word)
    return kept


def after(clause: Clause, position: int) -> list[Word]:
    """The noun phrase that stands behind a character of the piece: the object of the cue there."""
    words = list(clause.between(position, clause.end))
    while words and (
        words[0].tag == "u"
        or words[0].text in {"了", "过", "着", "到", "在", "是", "的", "于", "为", "成", "去", "：", ":"}
        or words[0].tag == "TIME"
        or words[0].text in ADVERBS
    ):
        words = words[1:]
    run: list[Word] = []
    if words and words[0].text in PLAYED:
        return (
            words[:1]
            if len(words) < 3 or words[1].text not in LINKS
            else [word for word in words if word.text in PLAYED or word.text in LINKS]
        )
    if words and words[0].text == "《":
        close = next((index for index, word in enumerate(words) if "》" in word.text), len(words) - 1)
        return words[: close + 1]
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else None
        if (
            word.tag in NOUN_TAGS
            or word.text in LINKS
            or word.text in {"、", "的", "之", "-", "·", ".", "+", "#", "/", "&", " "}
            or (
                word.tag in {"v", "d", "vd", "ad"}
                and any(later.text == "的" for later in words[index : index + 4])
                and following is not None
            )
        ):
            run.append(word)
        else:
            break
    while len(run) > 1 and run[-1].tag in {"m", "q"} and re.search(r"[次遍趟回天年个多]$", run[-1].text):
        run.pop()
    while run and (run[-1].text in LINKS or run[-1].text in {"的", "、"}):
        run.pop()
    return trimmed(run)


def names(words: Sequence[Word], scene: Scene) -> tuple[str, ...]:
    """The names that a noun phrase with its 和 and 、 stands for."""
    found: list[str] = []
    for part in parts(words):
        kept = trimmed(part)
        if kept:
            found += _part_names(scene, kept)
    return tuple(dict.fromkeys(found))


def _part_names(scene: Scene, words: list[Word]) -> tuple[str, ...]:
    start, end = words[0].start, words[-1].end
    plain = "".join(word.text for word in words)
    shown = scene.text[start:end]
    if plain in FIRST:
        return (scene.speaker,)
    if plain == "用户":
        return (scene.user,)
    if plain in SECOND:
        return (scene.turn.addressee,) if scene.turn.addressee else ()
    if plain in THIRD:
        found = scene.thing() if plain in {"它", "牠"} else scene.who(THIRD[plain])
        return (found,) if found else ()
    if plain in PLURAL:
        return scene.group
    if plain in EMPTY_SUBJECTS:
        return ()
    if relative := kin_name(plain, scene, words):
        return (relative,)
    plain_start = own.end() if (own := _OWN.match(plain)) else 0
    title = _TITLED.match(plain[plain_start:])
    plain_start += title.end() if title else 0
    counted = COUNTED.match(plain[plain_start:])
    if counted and counted.end() < len(plain) - plain_start and words[0].tag in {"m", "r", "q"}:
        plain_start += counted.end()
    shown = shown[plain_start:].strip(" 的")
    if plain.startswith(tuple(FIRST)) and not own and len(plain) > 1 and shown and shown[0] == "我":
        shown = shown.lstrip("我们的")
    if words[-1].tag == "PER" and not plain_start:
        scene.meet(shown)
    if not shown or len(shown) > 30 or shown in EMPTY_SUBJECTS:
        return ()
    return (shown,)


def owner_name(text: str, scene: Scene) -> str | None:
    """Whose relative: a pronoun or a name."""
    text = text.removesuffix("的").removesuffix("家") or text
    if text in FIRST:
        return scene.speaker
    if text in SECOND:
        return scene.turn.addressee
    if text in THIRD:
        return scene.who(THIRD[text])
    if text == "用户":
        return scene.user
    return text if 2 <= len(text) <= 8 and not re.search(r"[的是在了不有叫]", text) else None


def kin_name(plain: str, scene: Scene, words: Sequence[Word]) -> str | None:
    """The name of "我妹妹小雨", or "李娜的妹妹" where the turn gave none."""
    if plain in KIN or plain in RELATIVES:
        return scene.relative(scene.speaker, plain) or f"{scene.speaker}的{plain}"
    found = _OWNER_KIN.match(plain)
    if found is None or (found["kin"] in PETS and not found["name"]):
        return None
    owner = owner_name(found["owner"], scene)
    if owner is None or (len(found["kin"]) == 1 and found["owner"] not in FIRST | SECOND | set(THIRD)):
        return None
    if found["name"]:
        last = words[-1]
        given = found["name"].lstrip("的")
        return given if last.tag in _NAME_TAGS | {"n", "nr"} and 1 < len(given) <= 6 else None
    known = scene.relative(owner, found["kin"])
    return known or f"{owner}的{found['kin']}"


def subjects(clause: Clause, position: int, scene: Scene) -> tuple[str, ...]:
    """The names before a cue; where nothing stands there, what the clause before spoke of."""
    words = before(clause, position)
    if words:
        found = names(words, scene)
        scene.subject = found or ("",)
        return found
    lead = clause.text[: position - clause.start]
    return scene.subject if scene.subject and not INTENDED.search(lead) else scene.subject or (scene.speaker,)


def is_person(name: str, words: Sequence[Word], scene: Scene) -> bool:
    if name == scene.speaker or any(item.name == name and item.kind == "Person" for item in scene.named):
        return True
    if not words or words[-1].tag in {"PER", "r"}:
        return True
    if re.search(r"的(?:" + "|".join(KIN) + r")$", name):
        return True
    return (
        2 <= len(name) <= 4
        and not any(word.tag in {"LOC", "ORG"} and word.text == name and len(name) > 3 for word in words)
        and bool(re.match(r"^[小老阿大]?[\u4e00-\u9fff]{1,3}$", name))
        and len(words) == 1
    )


def span_of(clause: Clause) -> tuple[int, int]:
    return clause.start, clause.end


def slice_of(match: re.Match[str], group: str, clause: Clause, scene: Scene) -> str:
    """A group in the characters of the turn, traditional ones kept."""
    return scene.text[clause.start + match.start(group) : clause.start + match.end(group)].strip(" 的了啊呢吧")
