"""What a memory claims: the key under which it can conflict, its canonical value, and how conflicts under that key are decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from graphmem.core.identity import content_id
from graphmem.core.timeline import EXTERNAL_FIRST, RANKS, Mint, Rules
from graphmem.core.tokens import search_tokens
from graphmem.model import Entity, MemoryRecord, Policy
from graphmem.ontology import Ontology, PredicateDef
from graphmem.quantity import Quantity
from graphmem.temporal import Interval, iso
from graphmem.text import CJK, fold, fold_name, is_chinese

NOUNS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "lives_in": ("home", "住处"),
        "works_at": ("employer", "工作单位"),
        "married_to": ("spouse", "配偶"),
        "reports_to": ("manager", "上司"),
        "born_on": ("date of birth", "出生日期"),
        "born_in": ("birthplace", "出生地"),
        "name": ("name", "名字"),
        "job_title": ("job title", "职位"),
        "favorite": ("favorite", "最喜欢的"),
    }
)
"""How a question calls what a relation leads to, where its name or first alias does not say it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """`mirrored`: the same claim from its object's side (a symmetric or inverse relation)."""

    key: str
    value: str
    rules: Rules
    policy: Policy | None = None
    mirrored: Claim | None = None
    opposed_by: frozenset[str] = frozenset()


Resolve = Callable[[str], Entity]


def claim_of(ontology: Ontology, type_: str, properties: Mapping[str, Any], entity: Resolve) -> Claim | None:
    """Read the claim of normalised properties; None for a type that claims nothing."""
    kind = ontology.type(type_)
    terms, value = ontology.claim_terms(type_, properties), ontology.canonical_value(type_, properties)
    if kind.claim is None or terms is None or value is None:
        return None
    known = ontology.claim_predicate(type_, properties)
    functional, opposed = ontology.functional(type_, properties), ontology.opposes(known.name) if known else frozenset[str]()
    rules = Rules(functional, EXTERNAL_FIRST if known and known.external_first else RANKS)
    policy = (known.policy if known else None) or kind.policy
    subject = entity(str(properties["subject"]))
    if kind.claim == "fact" and known and known.polarity:
        terms, value, rules = ("preference", fold_name(str(properties["object"]))), known.polarity, replace(rules, functional=True)
    elif kind.claim == "fact" and known and known.names_entity and isinstance(properties["object"], str):
        target = entity(properties["object"])
        here = Claim(claim_key(subject.id, terms), fold_name(target.name), rules, policy, None, opposed)
        return replace(here, mirrored=_mirrored(ontology, (known, terms), (subject, target), here))
    return Claim(claim_key(subject.id, terms), value, rules, policy, None, opposed)


def claim_key(subject_id: str, terms: Sequence[str]) -> str:
    return "|".join((subject_id, *terms))


def _mirrored(ontology: Ontology, stated: tuple[PredicateDef, tuple[str, ...]], ends: tuple[Entity, Entity], here: Claim) -> Claim | None:
    (known, terms), (subject, target) = stated, ends
    name = ontology.inverted(known.name)
    if name is None or subject.id == target.id:
        return None
    other = ontology.predicates[name]
    return replace(
        here,
        key=claim_key(target.id, (name, *terms[1:])),
        value=fold_name(subject.name),
        rules=replace(here.rules, functional=other.functional),
    )


def task_key(type_: str, text: str, refs: Sequence[str]) -> str:
    """Key of a goal, plan, step or event: its type, the words of its name, and the entities it is about."""
    return "|".join((type_, " ".join(sorted(set(search_tokens(text)))), *sorted(set(refs))))


def minter(user_id: str, type_: str, key: str) -> Mint:
    """Ids of the memories under one key: from the value and its first valid time."""
    return lambda value, start, number: content_id("memory", user_id, type_, key, value, iso(start), *([number] if number else []))


def plain_id(user_id: str, type_: str, parts: Sequence[object]) -> str:
    """Id of a memory that claims nothing."""
    return content_id("memory", user_id, type_, *parts)


def same_thing(one: str, other: str) -> bool:
    """Whether one of two things is the other, or a part or product named after it ("cats", "cat hair"; 花生, 花生酱)."""
    if CJK.search(one) or CJK.search(other):
        first, second = fold(one), fold(other)
        return first in second or second in first
    first_words, second_words = set(search_tokens(one)), set(search_tokens(other))
    return bool(first_words and second_words) and (first_words <= second_words or second_words <= first_words)


def shown(value: Any, unit: str | None = None) -> str:
    """Text of a value as a question names it; a unit that goes without saying is left out."""
    match value:
        case Quantity():
            return str(Quantity(value.number)) if value.unit == unit else str(value)
        case Interval():
            return (iso(value.start) or "")[: 10 if value.precision != "second" else None]
        case list() | tuple():
            return ", ".join(shown(item) for item in value)
        case _:
            return str(value)


def noun(ontology: Ontology, memory: MemoryRecord) -> str:
    """Name what this memory's value is, as a question in the language of its text calls it."""
    chinese = is_chinese(memory.text)
    relation = str(memory.properties.get("relation") or memory.properties.get("attribute") or "")
    known = ontology.predicates.get(relation)
    qualifier = next((str(part) for part in (memory.properties.get("qualifiers") or {}).values()), "")
    if relation in NOUNS:
        name = NOUNS[relation][chinese]
    elif known and chinese:
        name = next((alias for alias in known.zh if "…" not in alias), relation)
    else:
        name = relation.replace("_", " ")
    return (
        (f"{qualifier}的{name}" if chinese and relation != "favorite" else f"{name}{'' if chinese else ' '}{qualifier}")
        if qualifier
        else name
    )


def answer(ontology: Ontology, memory: MemoryRecord) -> str:
    """Its value as a question names it."""
    slots = memory.properties
    known = ontology.predicates.get(str(slots.get("relation")))
    if memory.type == "Preference":
        return str(slots.get("polarity"))
    value = slots.get("object", slots.get("value"))
    return f"{shown(value, known.unit if known else None)} {slots.get('unit') or ''}".strip() if value is not None else memory.text


def ask(ontology: Ontology, sides: Sequence[MemoryRecord]) -> str:
    """Ask which side of a dispute is right, in the language of its text ("Is Bob's home Paris or Berlin now?")."""
    first = sides[0]
    chinese = any(is_chinese(side.text) for side in sides)
    answers = list(dict.fromkeys(answer(ontology, side) for side in sides))
    subject = str(first.properties.get("subject", ""))
    if not subject or not _of_one_matter(sides):
        texts = [f"“{side.text}”" for side in sides]
        return f"哪个是对的：{'，还是'.join(texts)}？" if chinese else f"Which is right: {' or '.join(texts)}?"
    if first.type == "Preference":
        thing = str(first.properties.get("object"))
        return f"{subject}现在喜欢还是不喜欢{thing}？" if chinese else f"Does {subject} like or dislike {thing} now?"
    if chinese:
        return f"{subject}的{noun(ontology, first)}现在是{'还是'.join(answers)}？"
    owner = f"{subject}'" if subject.endswith("s") else f"{subject}'s"
    return f"Is {owner} {noun(ontology, first)} {' or '.join(answers)} now?"


def _of_one_matter(sides: Sequence[MemoryRecord]) -> bool:
    """Whether they are claims that give one thing different values."""
    if any(side.type != sides[0].type for side in sides):
        return False
    if sides[0].type == "Preference":
        return len({fold_name(str(side.properties.get("object"))) for side in sides}) == 1
    matters = {str(side.properties.get("relation") or side.properties.get("attribute") or "") for side in sides}
    return len(matters) == 1 and matters != {""}


def ask_both(one: MemoryRecord, other: MemoryRecord) -> str:
    """Ask about two claims that both stand though they contradict each other."""
    if is_chinese(one.text) or is_chinese(other.text):
        return f"“{one.text}”和“{other.text}”都记录着，两条都对吗？"
    return f"“{one.text}” and “{other.text}” are both on record: do both hold?"
