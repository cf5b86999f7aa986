"""Errors as RFC 9457 problem documents; the facts of an error stand beside its sentence, so that a client can raise it again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from graphmem import errors
from graphmem.errors import GraphMemError

MEDIA_TYPE = "application/problem+json"
PREFIX = "urn:graphmem:problem:"
RETRY_AFTER = 2

KINDS: tuple[tuple[type[GraphMemError], int, str, str], ...] = (
    (errors.InvalidInput, 422, "invalid-input", "A value that cannot be taken"),
    (errors.NotFound, 404, "not-found", "Not found"),
    (errors.UnknownType, 422, "unknown-type", "A name that the ontology does not declare"),
    (errors.InvalidSlot, 422, "invalid-slot", "A slot that does not fit the ontology"),
    (errors.CycleRefused, 422, "cycle-refused", "A relationship that would close a cycle"),
    (errors.OntologyError, 422, "ontology", "Does not fit the ontology"),
    (errors.ConfigurationError, 501, "not-configured", "The server is not set up for this"),
    (errors.WriteConflict, 409, "write-conflict", "Another writer was faster"),
    (errors.StoreUnavailable, 503, "store-unavailable", "The store cannot be reached"),
    (errors.SchemaMismatch, 503, "schema-mismatch", "The store was written by another version"),
    (errors.EmbeddingMismatch, 503, "embedding-mismatch", "The store's vectors come from another model"),
    (errors.InvalidModelOutput, 502, "invalid-model-output", "A language model answered something unusable"),
    (errors.ExtractionError, 502, "extraction", "Extraction failed"),
    (errors.RateLimited, 503, "model-rate-limited", "The model's endpoint asks to wait"),
    (errors.InferenceUnavailable, 503, "inference-unavailable", "The model's endpoint cannot be reached"),
    (errors.InferenceError, 502, "inference", "The model's endpoint failed"),
    (errors.StoreError, 500, "store", "The store failed"),
    (GraphMemError, 500, "graphmem", "graphmem failed"),
)
"""First match holds: subclasses stand before their bases."""

TITLES: tuple[tuple[int, str, str], ...] = (
    (400, "bad-request", "The request cannot be read"),
    (401, "unauthorised", "A key is needed"),
    (403, "forbidden", "The key does not open this"),
    (404, "no-such-route", "There is no such route"),
    (405, "method-not-allowed", "The route has other methods"),
    (413, "too-large", "The request is too large"),
    (415, "media-type", "The body must be JSON"),
    (421, "misdirected", "Asked under a name that is not this server's"),
    (422, "invalid-input", "A value that cannot be taken"),
    (429, "too-many-requests", "Too many requests"),
    (500, "internal", "The server failed"),
    (501, "not-available", "This version has no such verb"),
    (503, "store-unavailable", "The store cannot be reached"),
)


class Problem(Exception):  # noqa: N818 — RFC 9457's word
    """An answer that is decided before any verb is called."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers

    def response(self) -> Response:
        kind, title = next(((kind, title) for status, kind, title in TITLES if status == self.status), ("http", "Refused"))
        return answer(self.status, kind, title, self.detail, headers=self.headers)


def answer(
    status: int, kind: str, title: str, detail: str, *, more: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    document = {"type": PREFIX + kind, "title": title, "status": status, "detail": detail, **(more or {})}
    content = json.dumps(document, ensure_ascii=False, default=str).encode("utf-8", "replace")
    return Response(content, status, dict(headers or {}), MEDIA_TYPE)


def of_error(error: GraphMemError) -> Response:
    _, status, kind, title = next(row for row in KINDS if isinstance(error, row[0]))
    facts = {name: value for name, value in vars(error).items() if not name.startswith("_") and value is not None}
    facts = {({"type": "of_type"}.get(name, name)): value for name, value in facts.items()}
    wait = getattr(error, "retry_after", None) or RETRY_AFTER
    headers = {"Retry-After": str(max(1, round(wait)))} if error.retryable else None
    detail = str(error) if status < 500 or error.retryable or status == 501 else f"{title}; the server's log says more"
    return answer(status, kind, title, detail, more=facts if status < 500 else None, headers=headers)


def of_validation(found: Sequence[Any]) -> Response:
    """Where and why, never the value: it may be somebody's words."""
    listed = [{"where": ".".join(map(str, one["loc"])), "problem": str(one["msg"])} for one in found]
    if any(one.get("type") == "json_invalid" for one in found):
        return answer(400, "bad-request", "The request cannot be read", "the body is not JSON")
    first = listed[0] if listed else {"where": "request", "problem": "invalid"}
    detail = f"{first['where']}: {first['problem']}"
    return answer(422, "invalid-input", "A value that cannot be taken", detail, more={"errors": listed})


def install(app: FastAPI) -> None:
    """Every error of the application leaves as a problem document."""

    async def known(_: Request, error: Exception) -> Response:
        assert isinstance(error, GraphMemError)  # noqa: S101 — registered for this class only
        return of_error(error)

    async def problem(_: Request, error: Exception) -> Response:
        assert isinstance(error, Problem)  # noqa: S101 — registered for this class only
        return error.response()

    async def http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101 — registered for this class only
        kind, title = next(((kind, title) for status, kind, title in TITLES if status == error.status_code), ("http", "Refused"))
        return answer(error.status_code, kind, title, str(error.detail), headers=error.headers)

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101 — registered for this class only
        return of_validation(error.errors())

    app.add_exception_handler(GraphMemError, known)
    app.add_exception_handler(Problem, problem)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, invalid)
