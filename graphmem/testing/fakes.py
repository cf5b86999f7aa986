"""Ports without the outside world: a clock that stands and a language model that replays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from graphmem.errors import InferenceUnavailable
from graphmem.temporal import aware


class FrozenClock:
    """Stands at a moment until it is moved."""

    def __init__(self, now: datetime) -> None:
        self._now = aware(now)

    def now(self) -> datetime:
        return self._now

    def move_to(self, when: datetime) -> None:
        self._now = aware(when)


class ScriptedModel:
    """A language model that gives the answers it was given, in order; an exception among them is raised.

    `asked` holds (system, user, schema) of every call. Out of answers it is unavailable.
    """

    def __init__(self, answers: Iterable[Mapping[str, Any] | Exception], *, model_id: str = "scripted", tokens: int = 10) -> None:
        self._answers = list(answers)
        self._model_id, self._tokens = model_id, tokens
        self.asked: list[tuple[str, str, Mapping[str, Any]]] = []

    @property
    def model_id(self) -> str:
        return self._model_id

    async def complete(self, system: str, user: str, schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], int]:
        self.asked.append((system, user, schema))
        if not self._answers:
            raise InferenceUnavailable("the scripted model has no answer left; give it one for every call")
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer, self._tokens
