"""IF some triples hold THEN another does, over the current ones, to a bounded fixpoint."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, TypeAlias

from graphmem.model import MemoryRecord
from graphmem.quantity import Quantity
from graphmem.temporal import Interval
from graphmem.text import fold_name

ROUNDS, MOST, WIDEST = 8, 1000, 20_000
"""Rounds of a fixpoint, conclusions of one run, and partial matches of one rule at most."""
Bindings: TypeAlias = dict[str, Any]
COMPARISONS = MappingProxyType(
    {
        "<": "<", "lt": "<", "less_than": "<", "below": "<", "before": "<", "older_than": "<", "小于": "<", "低于": "<", "早于": "<",
        "<=": "<=", "lte": "<=", "≤": "<=", "at_most": "<=", "不超过": "<=",
        ">": ">", "gt": ">", "greater_than": ">", "above": ">", "after": ">", "newer_than": ">", "大于": ">", "高于": ">", "晚于": ">",
        ">=": ">=", "gte": ">=", "≥": ">=", "at_least": ">=", "不低于": ">=",
        "=": "=", "==": "=", "eq": "=", "equals": "=", "等于": "=",
        "!=": "!=", "ne": "!=", "≠": "!=", "differs_from": "!=", "不等于": "!=",
    }
)  # fmt: skip
_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)(?:[-+.]?[a-z][\w.]*)?", re.IGNORECASE)
_REQUIRED = re.compile(
    r"(?P<name>.+?)\s*(?P<op>>=|≥|<=|≤|==|=|>|<|at least|不低于|至少)\s*v?(?P<version>\d+(?:\.\d+)*)"
    r"|(?P<name2>.+?)\s+v?(?P<version2>\d+(?:\.\d+)*)\s*(?:\+|or (?:newer|later|higher|above)|及以上|以上)",
    re.IGNORECASE,
)
_HELD = re.compile(r"(?P<name>.*[^\d.\s])\s+v?(?P<version>\d+(?:\.\d+)+)", re.IGNORECASE)
_SPEC = re.compile(r"(?P<op>>=|≥|<=|≤|==|=|>|<|at least|不低于|至少)?\s*v?(?P<version>\d+(?:\.\d+)*)\s*(?P<more>\+)?", re.IGNORECASE)
NEEDS, HOLDS = (
    frozenset({"depends_on", "requires", "needs"}),
    frozenset({"uses", "installed", "has", "runs", "has_installed", "安装", "使用"}),
)
VERSIONS = frozenset({"version", "installed", "installed_version", "current_version", "is_installed_at", "is_installed"})
BOUNDS = MappingProxyType({">=": "minimum", "≥": "minimum", "at least": "minimum", "不低于": "minimum", "至少": "minimum", "gte": "minimum",
                           ">": "above", "gt": "above", "<=": "maximum", "≤": "maximum", "lte": "maximum", "<": "below", "lt": "below",
                           "==": "exactly", "=": "exactly", "eq": "exactly"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Triple:
    """What holds, and the memories that say so."""

    subject: Any
    relation: str
    object: Any
    premises: frozenset[str] = frozenset()

    @property
    def key(self) -> tuple[str, str, str]:
        return folded(self.subject), self.relation, folded(self.object)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A triple in which `?names` stand for anything."""

    subject: Any
    relation: str
    object: Any


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    conditions: tuple[Pattern, ...]
    tests: tuple[Pattern, ...]
    consequences: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Conclusion:
    rule: str
    triple: Triple


def folded(value: Any) -> str:
    return fold_name(value) if isinstance(value, str) else str(value)


def is_variable(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("?") and len(value) > 1


def read_rule(rule_id: str, condition: Any, consequence: Any, relation_name: Callable[[str], str]) -> Rule | None:
    """A rule's patterns; None for one in words, or with a conclusion that its conditions leave open."""
    ifs, thens = _patterns(condition, relation_name), _patterns(consequence, relation_name)
    tests = tuple(one for one in ifs if one.relation in COMPARISONS)
    conditions = tuple(one for one in ifs if one.relation not in COMPARISONS)
    bound = {value for one in conditions for value in (one.subject, one.relation, one.object) if is_variable(value)}
    asked = {value for one in (*thens, *tests) for value in (one.subject, one.relation, one.object) if is_variable(value)}
    return Rule(rule_id, conditions, tests, tuple(thens)) if conditions and thens and asked <= bound else None


def _patterns(given: Any, relation_name: Callable[[str], str]) -> list[Pattern]:
    parts = [given] if isinstance(given, Mapping) else list(given) if isinstance(given, (list, tuple)) else []
    found = []
    for part in parts:
        if not isinstance(part, Mapping) or not {"subject", "relation", "object"} <= part.keys():
            return []
        relation = str(part["relation"])
        known = COMPARISONS.get(relation.strip().replace(" ", "_"))
        found.append(Pattern(part["subject"], known or (relation if is_variable(relation) else relation_name(relation)), part["object"]))
    return found


# ── what holds ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def triples_of(memory: MemoryRecord) -> list[Triple]:
    """A fact as a triple; a requirement or an installed version that it states also in parts (`requirer`, `required`, `minimum` …, `version`)."""
    slots, told = memory.properties, frozenset({memory.id})
    if memory.type == "Constraint":
        name = re.sub(r"[\s_]*(?:version|版本)$", "", str(slots["attribute"]), flags=re.IGNORECASE)
        return _requirement(memory.id, (slots["subject"], name), (str(slots["operator"]), slots["value"]))
    if memory.type != "Fact":
        return []
    subject, relation, value = slots["subject"], str(slots["relation"]), slots["object"]
    found = [Triple(subject, relation, value, told)]
    qualifiers = slots.get("qualifiers") or {}
    if relation in NEEDS and isinstance(value, str):
        if (match := _REQUIRED.fullmatch(value)) is not None:
            name, version = match["name"] or match["name2"], match["version"] or match["version2"]
            found += _requirement(memory.id, (subject, name), ((match["op"] or ">=").lower(), version))
        for name in ("version", "min_version", "minimum", "minimum_version", "版本"):
            spec = _SPEC.fullmatch(str(qualifiers[name]).strip()) if name in qualifiers else None
            if spec is not None:
                found += _requirement(memory.id, (subject, value), ((spec["op"] or ">=").lower(), spec["version"]))
    if relation in HOLDS and isinstance(value, str) and (held := _HELD.fullmatch(value)) is not None:
        found.append(Triple(held["name"], "version", held["version"], told))
    if relation in VERSIONS - {"version"} and _VERSION.fullmatch(str(value)):
        found.append(Triple(subject, "version", str(value), told))
    return found


def _requirement(id_: str, ends: tuple[Any, str], limit: tuple[str, Any]) -> list[Triple]:
    """`ends` are who needs and what is needed, `limit` an operator and a version."""
    (requirer, required), (operator, version), told = ends, limit, frozenset({id_})
    bound = BOUNDS.get(operator.lower())
    if bound is None or _VERSION.fullmatch(str(version)) is None:
        return []
    return [
        Triple(f"#{id_}", "requirer", requirer, told),
        Triple(f"#{id_}", "required", required, told),
        Triple(f"#{id_}", bound, str(version), told),
    ]


# ── comparing ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def compare(one: Any, operator: str, other: Any) -> bool:
    """Numbers, quantities of one unit, moments, and dotted versions part by part; what cannot be compared fails every test but `!=`."""
    if operator in {"=", "!="} and folded(one) == folded(other):
        return operator == "="
    pair = _comparable(one, other)
    if pair is None:
        return operator == "!="
    first, second = pair
    match operator:
        case "<":
            return bool(first < second)
        case "<=":
            return bool(first <= second)
        case ">":
            return bool(first > second)
        case ">=":
            return bool(first >= second)
        case "=":
            return bool(first == second)
        case _:
            return bool(first != second)


def _comparable(one: Any, other: Any) -> tuple[Any, Any] | None:
    match one, other:
        case Quantity(), Quantity():
            return (one.number, other.number) if one.unit == other.unit else None
        case Quantity(), int() | float():
            return one.number, other
        case int() | float(), Quantity():
            return one, other.number
        case int() | float(), int() | float():
            return one, other
        case _:
            first, second = _moment(one), _moment(other)
            if first is not None and second is not None:
                return first, second
            first_version, second_version = version(one), version(other)
            return None if first_version is None or second_version is None else (first_version, second_version)


def _moment(value: Any) -> datetime | None:
    return value.start if isinstance(value, Interval) else value if isinstance(value, datetime) else None


def version(value: Any) -> tuple[int, ...] | None:
    """The numbers of a dotted version without trailing zeros, so that 2 = 2.0."""
    text = str(value.number if isinstance(value, Quantity) and not value.unit else value).strip()
    match = _VERSION.fullmatch(text)
    if match is None:
        return None
    parts = [int(part) for part in match[1].split(".")]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


# ── the fixpoint ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def infer(rules: Sequence[Rule], facts: Iterable[Triple]) -> list[Conclusion]:
    """Everything that follows and is not said, each once with the first premises found; premises of a conclusion from conclusions are facts."""
    known: dict[tuple[str, str, str], Triple] = {}
    for fact in facts:
        known.setdefault(fact.key, fact)
    found: dict[tuple[str, str, str], Conclusion] = {}
    for _ in range(ROUNDS):
        index = _index(known.values())
        fresh = [
            Conclusion(rule.id, made)
            for rule in sorted(rules, key=lambda rule: rule.id)
            for made in _apply(rule, index)
            if made.key not in known
        ]
        for one in fresh:
            if one.triple.key not in known and len(found) < MOST:
                known[one.triple.key], found[one.triple.key] = one.triple, one
        if not fresh or len(found) >= MOST:
            break
    return list(found.values())


def _index(triples: Iterable[Triple]) -> dict[str, list[Triple]]:
    index: dict[str, list[Triple]] = {}
    for one in triples:
        index.setdefault(one.relation, []).append(one)
        index.setdefault("", []).append(one)
        index.setdefault(f"{one.relation}\x1f{folded(one.subject)}", []).append(one)
    return index


def _apply(rule: Rule, index: Mapping[str, Sequence[Triple]]) -> Iterator[Triple]:
    matches: list[tuple[Bindings, frozenset[str]]] = [({}, frozenset())]
    for pattern in rule.conditions:
        matches = [
            (joined, premises | triple.premises)
            for bindings, premises in matches
            for triple in _candidates(pattern, bindings, index)
            if (joined := _match(pattern, triple, bindings)) is not None
        ][:WIDEST]
    for bindings, premises in matches:
        if all(compare(_value(test.subject, bindings), test.relation, _value(test.object, bindings)) for test in rule.tests):
            for one in rule.consequences:
                yield Triple(_value(one.subject, bindings), str(_value(one.relation, bindings)), _value(one.object, bindings), premises)


def _candidates(pattern: Pattern, bindings: Bindings, index: Mapping[str, Sequence[Triple]]) -> Sequence[Triple]:
    relation, subject = _value(pattern.relation, bindings), _value(pattern.subject, bindings)
    if is_variable(relation):
        return index.get("", ())
    return index.get(relation if is_variable(subject) else f"{relation}\x1f{folded(subject)}", ())


def _match(pattern: Pattern, triple: Triple, bindings: Bindings) -> Bindings | None:
    joined = dict(bindings)
    for wanted, found in ((pattern.subject, triple.subject), (pattern.relation, triple.relation), (pattern.object, triple.object)):
        value = _value(wanted, joined)
        if is_variable(value):
            joined[value] = found
        elif folded(value) != folded(found):
            return None
    return joined


def _value(term: Any, bindings: Bindings) -> Any:
    return bindings.get(term, term) if is_variable(term) else term
