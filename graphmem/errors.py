"""Every error that graphmem raises; `*` marks what may succeed when tried again.

GraphMemError
├ ConfigurationError
├ InvalidInput
├ NotFound
├ OntologyError: UnknownType, InvalidSlot, CycleRefused
├ StoreError: StoreUnavailable*, SchemaMismatch, EmbeddingMismatch, WriteConflict*
├ ExtractionError: InvalidModelOutput
└ InferenceError: InferenceUnavailable*, RateLimited*
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar


class GraphMemError(Exception):
    """What all of them are; `retryable` says whether the same call may succeed later."""

    retryable: ClassVar[bool] = False


class ConfigurationError(GraphMemError):
    """A setting, an extra or a combination of them that cannot work."""


class InvalidInput(GraphMemError):  # noqa: N818 — the public name
    """A value that a verb cannot take; the message says what it takes."""


class NotFound(GraphMemError):  # noqa: N818 — the public name
    """An id that does not exist in this scope (or belongs to another, which is not told apart)."""

    def __init__(self, kind: str, wanted: str) -> None:
        super().__init__(f"no {kind} {wanted!r} for this user; `list` shows what there is")
        self.kind, self.wanted = kind, wanted


class OntologyError(GraphMemError):
    """A record or an ontology file that does not fit the ontology."""


def allowed_text(allowed: Iterable[str]) -> str:
    return ", ".join(sorted(allowed)) or "none"


class UnknownType(OntologyError):  # noqa: N818 — the public name
    """A type, relationship or filter field that the ontology does not declare."""

    def __init__(self, kind: str, given: str, allowed: Iterable[str]) -> None:
        self.kind, self.given, self.allowed = kind, given, sorted(allowed)
        super().__init__(f"unknown {kind} {given!r}; allowed: {allowed_text(self.allowed)}")


class InvalidSlot(OntologyError):  # noqa: N818 — the public name
    """A slot that is missing, unknown, or holds a value that cannot be normalised."""

    def __init__(self, type_: str, slot: str, problem: str, allowed: Iterable[str] = ()) -> None:
        self.type, self.slot, self.problem, self.allowed = type_, slot, problem, sorted(allowed)
        tail = f"; allowed: {allowed_text(self.allowed)}" if self.allowed else ""
        super().__init__(f"{type_}.{slot}: {problem}{tail}")


class CycleRefused(OntologyError):  # noqa: N818 — the public name
    """A relationship that would close a cycle where the ontology allows none."""

    def __init__(self, relationship: str, path: Sequence[str]) -> None:
        self.relationship, self.path = relationship, tuple(path)
        super().__init__(f"{relationship} would close the cycle {' → '.join(self.path)}; unlink one of these first")


class StoreError(GraphMemError):
    """The store refused or failed."""


class StoreUnavailable(StoreError):  # noqa: N818 — the public name
    """The store cannot be reached or used now."""

    retryable = True


class SchemaMismatch(StoreError):  # noqa: N818 — the public name
    """The store was written by another version of graphmem or of the ontology."""


class EmbeddingMismatch(StoreError):  # noqa: N818 — the public name
    """The store's vectors come from another model than the one given."""

    def __init__(self, stored: str, given: str) -> None:
        self.stored, self.given = stored, given
        super().__init__(
            f"the store's vectors come from {stored}, the embedder given is {given}; open it with that model, or run `graphmem reembed`"
        )


class WriteConflict(StoreError):  # noqa: N818 — the public name
    """Another writer changed what this write had read; the flow reconciles anew."""

    retryable = True


class ExtractionError(GraphMemError):
    """Extraction failed; the episode is stored all the same."""


class InvalidModelOutput(ExtractionError):  # noqa: N818 — the public name
    """A language model answered something that its schema does not allow; `tokens` were spent on it."""

    def __init__(self, message: str, *, tokens: int = 0) -> None:
        super().__init__(message)
        self.tokens = tokens


class InferenceError(GraphMemError):
    """An embedding or language model endpoint failed."""


class InferenceUnavailable(InferenceError):  # noqa: N818 — the public name
    """The endpoint cannot be reached or answers with a server error."""

    retryable = True


class RateLimited(InferenceError):  # noqa: N818 — the public name
    """The endpoint asks to wait."""

    retryable = True

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
