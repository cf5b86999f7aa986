"""The saved queries, drawn in a real Neo4j Browser over the demo's kind of graph."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graphmem import resources
from graphmem.local_server import LocalServer
from graphmem.model import Message
from graphmem.records import Goal, Plan, Step
from graphmem.serve.cli import app
from graphmem.serve.cli_neo4j import browser_url, filled, saved_queries
from graphmem.sync import Memory
from graphmem.testing import FakeEmbedder, FrozenClock
from tests.browser_driver import Neo4jBrowser, chromium_missing
from tests.neo4j_fixture import skip_or_fail

START = datetime(2026, 5, 1, 9, tzinfo=UTC)
SHOWS = {
    "open_goals": ("Open a bookshop", "Rent a room", "Paint the shelves"),
    "one_chain": ("Open a bookshop", "Plan the shop", "Rent a room"),
    "versions_of_a_fact": ("lives_in Ghent", "lives_in Porto"),
    "triples_of_an_entity": ("Mira", "Porto"),
    "what_a_session_taught": ("Mira: I like old maps",),
    "nearest_and_their_chains": ("Rent a room",),
    "why_recalled": ("Plan the shop",),
}
"""What the picture of a query must show; the others answer with a table, or with nothing."""
VALUES = {"one_chain": {"name": "bookshop"}, "nearest_and_their_chains": {"name": "Rent"}, "why_recalled": {"name": "shop"}}


def filled_memory(uri: str) -> None:
    clock = FrozenClock(START)
    with Memory.open(uri, user_id="default", embedder=FakeEmbedder(64), clock=clock) as memory:
        memory.remember(Message("I like old maps", "Mira", said_at=START, session_id="day 0"), extract=False)
        for number, town in enumerate(("Ghent", "Porto")):
            clock.move_to(START + timedelta(days=number + 1))
            memory.add_triple("Mira", "lives_in", town)
        [goal] = memory.add(Goal("Open a bookshop", status="in_progress"))
        assert goal.memory is not None
        [plan] = memory.add(Plan("Plan the shop", relationships=[("subtask_of", goal.memory.id)]))
        assert plan.memory is not None
        memory.add([Step(text, relationships=[("subtask_of", plan.memory.id)]) for text in ("Rent a room", "Paint the shelves")])


@pytest.mark.neo4j
@pytest.mark.browser
@pytest.mark.timeout(900)
def test_every_saved_query_answers_its_question(neo4j_browser_server: LocalServer, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if reason := chromium_missing():
        skip_or_fail(request, "BROWSER", reason)
    filled_memory(neo4j_browser_server.uri)
    wrong: dict[str, object] = {}
    with Neo4jBrowser.open(neo4j_browser_server.http_url, neo4j_browser_server.bolt_url) as browser:
        browser.style(resources.text("cypher", "browse", "style.grass"))
        for name, (_, text) in saved_queries().items():
            picture = browser.run(filled(text, {"user_id": "default", **VALUES.get(name, {})}), tmp_path / f"{name}.png")
            missing = [caption for caption in SHOWS.get(name, ()) if not picture.shows(caption)]
            if picture.error or missing:
                wrong[name] = picture.error or (missing, picture.node_captions)
        browser.visit(
            browser_url(
                neo4j_browser_server.uri, filled(saved_queries()["open_goals"][1], {"user_id": "default"}), neo4j_browser_server.http_url
            )
        )
        assert browser.run_edited(tmp_path / "visited.png").shows("Open a bookshop")
    assert not wrong


def test_there_are_queries_enough_and_each_asks_something() -> None:
    queries = saved_queries()
    assert len(queries) >= 12
    for question, text in queries.values():
        assert question.rstrip(")").split("(")[0].rstrip().endswith("?")
        assert "$" not in filled(text, {"user_id": "x"})
        assert "user_id" in text or "SHOW INDEXES" in text


@pytest.mark.parametrize("evil", ["o'ne", "a\\'b", "x'}) DETACH DELETE n //", "a#b&c", "new\nline", "$user_id"])
def test_values_are_literals(evil: str) -> None:
    text = filled("// Q?\n// :param user_id => 'default'\nMATCH (m:Memory {user_id: $user_id}) RETURN m", {"user_id": evil})
    literal = text[text.index("{user_id: ") + 10 : text.rindex("})")]
    assert literal.startswith("'")
    assert literal.endswith("'")
    assert "'" not in literal[1:-1].replace("\\\\", "").replace("\\'", "")
    assert not set(text) & set("#&\n")


def test_the_command_lists_and_prints() -> None:
    run = CliRunner()
    listed = run.invoke(app, ["browse"])
    assert listed.exit_code == 0
    assert "open_goals" in listed.output
    printed = run.invoke(app, ["browse", "versions_of_a_fact", "subject=Luna", "--user", "ann", "--store", "neo4j://db:7687"])
    assert printed.output.startswith("http://db:7474/browser/?dbms=bolt%3A%2F%2Fdb%3A7687")
    assert "Luna" in printed.output
    assert run.invoke(app, ["browse", "nonsense"]).exit_code != 0
    assert run.invoke(app, ["browse", "open_goals", "--store", "memory.db"]).exit_code != 0


def test_a_server_that_does_not_run_is_said_so(tmp_path: Path) -> None:
    run = CliRunner()
    assert run.invoke(app, ["neo4j", "status", "--home", str(tmp_path)]).exit_code == 1
    assert "no server" in run.invoke(app, ["neo4j", "stop", "--home", str(tmp_path)]).output


def test_the_command_copies(tmp_path: Path) -> None:
    source, target = str(tmp_path / "a.db"), str(tmp_path / "b.db")
    with Memory.open(source, user_id="ann", embedder=FakeEmbedder(8)) as memory:
        memory.add_triple("Ann", "lives_in", "Oslo")
    copied = CliRunner().invoke(app, ["copy", source, target])
    assert copied.exit_code == 0, copied.output
    assert "both stores hold the same" in copied.output
    with Memory.open(target, user_id="ann", embedder=FakeEmbedder(8)) as memory:
        assert len(memory.list()) == 1
