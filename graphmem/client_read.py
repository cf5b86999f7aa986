"""From the server's JSON to the values that the verbs return, and from its problem documents to the errors that they raise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

from graphmem import errors, model
from graphmem.errors import GraphMemError
from graphmem.ontology import Ontology
from graphmem.ontology_values import from_json

T = TypeVar("T")


@lru_cache(maxsize=64)
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads slots by the ontology, so that a deadline comes back as a moment and an amount as a quantity."""

    ontology: Ontology

    def value(self, kind: type[T], found: Any) -> T:
        adapter: TypeAdapter[T] = _adapter(kind)  # type: ignore[arg-type]  # a class is hashable
        return adapter.validate_python(self._slots_read(found))

    def values(self, kind: type[T], found: Any) -> list[T]:
        return [self.value(kind, one) for one in found]

    def outcome(self, found: Mapping[str, Any]) -> model.Outcome:
        kinds: dict[str, Any] = {
            "Added": model.Added,
            "Reinforced": model.Reinforced,
            "Superseded": model.Superseded,
            "Disputed": model.Disputed,
            "Ignored": model.Ignored,
            "Rejected": model.Rejected,
        }
        kind = kinds[found["kind"]]
        return self.value(kind, {name: found[name] for name in kind.__dataclass_fields__ if name in found})  # type: ignore[no-any-return]  # one of the union

    def outcomes(self, found: Any) -> list[model.Outcome]:
        return [self.outcome(one) for one in found]

    def remembered(self, found: Mapping[str, Any]) -> model.RememberReport:
        report = self.value(model.RememberReport, {**found, "outcomes": (), "episode_outcomes": ()})
        outcomes, episodes = self.outcomes(found["outcomes"]), self.outcomes(found["episode_outcomes"])
        return replace(report, outcomes=tuple(outcomes), episode_outcomes=tuple(episodes))

    def recollections(self, found: Mapping[str, Any]) -> model.Recollections:
        trace = None if found["trace"] is None else self.value(model.Trace, found["trace"])
        items = self.values(model.Recollection, found["recollections"])
        return model.Recollections(items, self.value(model.QueryPlan, found["plan"]), trace)

    def page(self, found: Mapping[str, Any]) -> model.Page:
        return model.Page(self.values(model.MemoryRecord, found["memories"]), found["cursor"])

    def _slots_read(self, found: Any) -> Any:
        if isinstance(found, list):
            return [self._slots_read(one) for one in found]
        if not isinstance(found, Mapping):
            return found
        if "stored_state" in found and "properties" in found:
            return {**found, "properties": self._slots(str(found["type"]), found["properties"])}
        return {name: self._slots_read(one) for name, one in found.items()}

    def _slots(self, type_: str, properties: Mapping[str, Any]) -> Mapping[str, Any]:
        if type_ in self.ontology.types:
            return self.ontology.from_json(type_, properties)
        return {name: from_json(None, value) for name, value in properties.items()}


def error_of(status: int, problem: Mapping[str, Any], retry_after: float | None) -> GraphMemError:
    """The error that the same verb raises on an embedded store."""
    kind, detail = str(problem.get("type", "")).rpartition(":")[2], str(problem.get("detail") or f"the server answered {status}")
    if kind in _REBUILT:
        return _REBUILT[kind](problem)
    if kind in _PLAIN:
        return _PLAIN[kind](detail)
    if status == 429 or kind == "model-rate-limited":
        return errors.RateLimited(detail, retry_after=retry_after)
    if status in {401, 403, 404, 405, 421, 501}:
        return errors.ConfigurationError(detail)
    if status < 500:
        return errors.InvalidInput(detail)
    return errors.StoreUnavailable(detail) if status in {502, 503, 504} else errors.StoreError(detail)


_REBUILT: Mapping[str, Callable[[Mapping[str, Any]], GraphMemError]] = {
    "not-found": lambda p: errors.NotFound(p["kind"], p["wanted"]),
    "unknown-type": lambda p: errors.UnknownType(p["kind"], p["given"], p["allowed"]),
    "invalid-slot": lambda p: errors.InvalidSlot(p["of_type"], p["slot"], p["problem"], p["allowed"]),
    "cycle-refused": lambda p: errors.CycleRefused(p["relationship"], p["path"]),
}
_PLAIN: Mapping[str, type[GraphMemError]] = {
    "invalid-input": errors.InvalidInput,
    "ontology": errors.OntologyError,
    "write-conflict": errors.WriteConflict,
    "schema-mismatch": errors.SchemaMismatch,
    "extraction": errors.ExtractionError,
    "invalid-model-output": errors.InvalidModelOutput,
    "inference": errors.InferenceError,
    "inference-unavailable": errors.InferenceUnavailable,
}
