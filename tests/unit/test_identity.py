from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from graphmem.core.identity import content_id, episode_id

PARTS = st.lists(st.one_of(st.none(), st.text(max_size=5), st.integers(0, 9)), max_size=4)


@given(PARTS, PARTS)
def test_different_parts_have_different_ids_and_equal_ones_the_same(a: list[object], b: list[object]) -> None:
    spelled = [[None if part is None else str(part) for part in parts] for parts in (a, b)]
    assert (content_id(*a) == content_id(*b)) == (spelled[0] == spelled[1])
    assert uuid.UUID(content_id(*a)).version == 5


def test_an_episode_id_is_its_content_not_its_clock() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    said = ("s", "Ada", "user", "Hello")
    assert episode_id("u", said, noon) == episode_id("u", said, noon.astimezone(timezone(timedelta(hours=8))))
    assert (
        len(
            {
                episode_id("u", said, noon),
                episode_id("v", said, noon),
                episode_id("u", said, noon, 2),
                episode_id("u", (None, *said[1:]), noon),
            }
        )
        == 4
    )


def test_ids_do_not_change_between_versions() -> None:
    assert content_id("memory", "alice", None, "", 7) == "faacd6d9-6679-5e08-bce6-968e327b0bc7"
