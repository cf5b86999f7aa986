"""The public test helpers do what they say."""

from __future__ import annotations

import anyio
import pytest

import graphmem.testing
from graphmem.errors import InferenceUnavailable, InvalidInput, RateLimited
from graphmem.testing import FrozenClock, ScriptedModel
from graphmem.testing.samples import DAY, NOW, Refused


def test_the_clock_stands_until_it_is_moved() -> None:
    clock = FrozenClock(NOW)
    assert clock.now() == clock.now() == NOW
    clock.move_to(NOW + DAY)
    assert clock.now() == NOW + DAY
    with pytest.raises(InvalidInput):
        clock.move_to(NOW.replace(tzinfo=None))


def test_the_scripted_model_replays_and_keeps_what_was_asked() -> None:
    async def scenario() -> None:
        model = ScriptedModel([{"a": 1}, RateLimited("slow down")], model_id="m", tokens=3)
        assert await model.complete("system", "user", {"type": "object"}) == ({"a": 1}, 3)
        with pytest.raises(RateLimited):
            await model.complete("", "again", {})
        with pytest.raises(InferenceUnavailable):
            await model.complete("", "", {})
        assert [user for _, user, _ in model.asked] == ["user", "again", ""]
        assert model.model_id == "m"

    anyio.run(scenario)


def test_refused_passes_only_on_the_error_it_names() -> None:
    with Refused(ValueError):
        raise ValueError
    with pytest.raises(AssertionError, match="nothing was raised"), Refused(ValueError):
        pass
    with pytest.raises(KeyError), Refused(ValueError):
        raise KeyError


def test_unknown_names_are_unknown() -> None:
    with pytest.raises(AttributeError):
        _ = graphmem.testing.Nothing
