"""What follows from memories: rules over current facts, and kinds of things that somebody likes; withdrawn when the ground falls."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

from graphmem import resources
from graphmem.consolidation_steps import Step, Withdraw, Write
from graphmem.core.abstraction import Abstraction, abstractions, kinds_of, read_kinds
from graphmem.core.inference import Conclusion, Rule, Triple, folded, infer, read_rule, triples_of
from graphmem.filters import Compare
from graphmem.model import Draft, MemoryRecord
from graphmem.ontology import Ontology
from graphmem.ports import Clock, Selection, Store
from graphmem.text import fold_name, is_chinese

RULE, KIND = "rule", "abstracted"
"""Metadata of a conclusion: its rule, or the kind that it names."""
PAGE = 500


@dataclass(slots=True)
class Grounds:
    """What the pass over the scope collects: only what a rule or a kind can use."""

    rules: tuple[Rule, ...]
    texts: Mapping[str, str]
    kinds: Mapping[str, tuple[str, ...]]
    named: frozenset[str]
    relations: frozenset[str] | None
    triples: list[Triple] = field(default_factory=list)
    likings: list[MemoryRecord] = field(default_factory=list)
    concluded: list[MemoryRecord] = field(default_factory=list)

    def see(self, memory: MemoryRecord) -> None:
        if memory.source == "inferred":
            if RULE in memory.metadata or KIND in memory.metadata:
                self.concluded.append(memory)
            elif memory.type == "Fact":
                self._tell(memory)
        elif memory.type in {"Fact", "Constraint"} and memory.state == "current":
            self._tell(memory)
        elif memory.type == "Preference" and memory.state == "current":
            thing = str(memory.properties["object"])
            if fold_name(thing) in self.named or kinds_of(thing, self.kinds):
                self.likings.append(memory)

    def _tell(self, memory: MemoryRecord) -> None:
        if self.rules:
            self.triples += [one for one in triples_of(memory) if self.relations is None or one.relation in self.relations]


@dataclass(frozen=True, slots=True)
class Concluder:
    store: Store
    ontology: Ontology
    clock: Clock

    async def begin(self, user_id: str) -> Grounds:
        """Rules first, so that the pass keeps only the triples that one of them asks for."""
        given = json.loads(resources.text("ontology", "rules.json"))
        found = [(one["id"], one["text"], one["condition"], one["consequence"]) for one in given]
        selection, after = Selection(at=self.clock.now(), where=Compare("type", "$eq", "Rule")), None
        while True:
            page, after = await self.store.select(user_id, selection, order="id", limit=PAGE, after=after)
            found += [(one.id, one.text, one.properties["condition"], one.properties["consequence"]) for one in page]
            if after is None:
                break
        rules = [read_rule(id_, condition, consequence, self.ontology.relation_name) for id_, _, condition, consequence in found]
        usable = tuple(one for one in rules if one is not None)
        asked = {pattern.relation for rule in usable for pattern in rule.conditions}
        kinds = read_kinds(resources.text("ontology", "kinds.txt").splitlines())
        named = frozenset(fold_name(kind) for several in kinds.values() for kind in several)
        relations = None if any(one.startswith("?") for one in asked) else frozenset(asked)
        return Grounds(usable, {id_: text for id_, text, *_ in found}, kinds, named, relations)

    async def steps(self, grounds: Grounds) -> AsyncIterator[Step]:
        """Conclusions that are not there yet, then those whose ground has fallen."""
        wanted: dict[tuple[str, ...], Write] = {}
        for found in infer(grounds.rules, grounds.triples):
            wanted[_key_of_fact(found.triple)] = self._inferred(found, grounds)
        for kind in abstractions(grounds.likings, grounds.kinds):
            wanted["liking", fold_name(kind.subject), kind.polarity, fold_name(kind.kind)] = _abstracted(kind)
        standing = {self._key_of(one): one for one in grounds.concluded}
        for key, step in wanted.items():
            if key not in standing:
                yield step
        for key, memory in standing.items():
            if key not in wanted and memory.stored_state in {"current", "disputed"}:
                yield Withdraw(memory, "what it was concluded from no longer holds")

    def _key_of(self, memory: MemoryRecord) -> tuple[str, ...]:
        slots = memory.properties
        if KIND in memory.metadata:
            return "liking", fold_name(str(slots["subject"])), str(slots["polarity"]), fold_name(str(slots["object"]))
        return _key_of_fact(Triple(slots["subject"], str(slots["relation"]), slots["object"]))

    def _inferred(self, found: Conclusion, grounds: Grounds) -> Write:
        triple, text = found.triple, grounds.texts.get(found.rule, "")
        said = f"{triple.subject} {triple.relation.replace('_', ' ')} {triple.object}"
        draft = Draft(
            type="Fact",
            text=said,
            properties={"subject": str(triple.subject), "relation": triple.relation, "object": triple.object},
            source="inferred",
            confidence=0.6,
            reason=text or None,
            metadata={RULE: found.rule},
        )
        return Write("infer", draft, tuple(sorted(triple.premises)), text or "it follows by a rule")


def _key_of_fact(triple: Triple) -> tuple[str, ...]:
    return "fact", folded(triple.subject), triple.relation, folded(triple.object)


def _abstracted(kind: Abstraction) -> Write:
    names = [str(one.properties["object"]) for one in kind.examples]
    chinese = is_chinese("".join(names))
    verb = {"like": ("likes", "喜欢"), "dislike": ("dislikes", "不喜欢")}[kind.polarity][chinese]
    text = f"{kind.subject}{verb}{kind.kind}" if chinese else f"{kind.subject} {verb} {kind.kind}"
    draft = Draft(
        type="Preference",
        text=text,
        properties={"subject": kind.subject, "object": kind.kind, "polarity": kind.polarity},
        source="inferred",
        confidence=kind.confidence,
        metadata={KIND: kind.kind},
    )
    why = f"{len(names)} examples: {', '.join(names)}"
    return Write("abstract", draft, tuple(one.id for one in kind.examples), why)
