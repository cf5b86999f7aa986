"""The driver of Neo4j Browser, on a small graph made here: captions, tables, errors, URLs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from graphmem.local_server import LocalServer
from tests.browser_driver import Neo4jBrowser, browser_url, chromium_missing
from tests.neo4j_fixture import skip_or_fail

pytestmark = [pytest.mark.browser, pytest.mark.neo4j, pytest.mark.slow, pytest.mark.timeout(900)]

GRAPH = """
MERGE (goal:DriverGoal {name: 'Move to Lisbon'})
MERGE (plan:DriverPlan {name: 'Find a flat near the river'})
MERGE (task:DriverTask {name: 'Call the landlord'})
MERGE (visa:DriverTask {name: '申请上海的签证'})
MERGE (plan)-[:SERVES]->(goal) MERGE (task)-[:PART_OF]->(plan) MERGE (visa)-[:PART_OF]->(plan)
"""
STYLE = """
node { diameter: 80px; color: #4C8EDA; border-color: #2870c2; text-color-internal: #FFFFFF; font-size: 10px; caption: '{name}'; }
relationship { color: #A5ABB6; shaft-width: 2px; font-size: 8px; padding: 3px; caption: '<type>'; }
"""
TREE = "MATCH path = (:DriverGoal)<-[:SERVES|PART_OF*1..3]-()\n// braces {}, quotes '\" and # in a comment\nRETURN path"


@pytest.fixture
def graph(neo4j_browser_server: LocalServer) -> LocalServer:
    with neo4j.GraphDatabase.driver(neo4j_browser_server.uri) as driver:
        driver.execute_query(GRAPH)
    return neo4j_browser_server


@pytest.fixture
def window(graph: LocalServer, request: pytest.FixtureRequest) -> Iterator[Neo4jBrowser]:
    missing = chromium_missing()
    if missing:
        skip_or_fail(request, "BROWSER", missing)
    with Neo4jBrowser.open(graph.http_url, graph.bolt_url) as browser:
        yield browser


def test_browser_shows_what_a_person_would_read(window: Neo4jBrowser, graph: LocalServer, tmp_path: Path) -> None:
    window.style(STYLE)

    picture = window.run(TREE, tmp_path / "tree.png")
    assert picture.error is None
    names = ("Move to Lisbon", "Find a flat near the river", "Call the landlord", "申请上海的签证")
    assert [name for name in names if not picture.shows(name)] == [], picture
    assert not picture.shows("Call the lawyer")
    assert sorted(picture.relationship_captions) == ["PART_OF", "PART_OF", "SERVES"]
    assert (tmp_path / "tree.png").stat().st_size > 10_000

    listing = window.run("MATCH (n:DriverTask) RETURN n.name AS name ORDER BY name", tmp_path / "list.png")
    assert [row[-1] for row in listing.table] == ["name", '"Call the landlord"', '"申请上海的签证"']

    nothing = window.run("MATCH (n:NoSuchLabel) RETURN n", tmp_path / "nothing.png")
    assert (nothing.node_captions, nothing.table, nothing.error) == ((), (), None)

    wrong = window.run("MATCH (n:DriverTask RETURN n", tmp_path / "wrong.png")
    assert "SyntaxError" in (wrong.error or "")

    query = 'MATCH (n:DriverTask)\n// 100% of + plus "quotes" 中文 %25\nRETURN n'
    window.visit(browser_url(graph.http_url, graph.bolt_url, query))
    assert window.edited() == query
    assert window.run_edited(tmp_path / "tasks.png").shows("Call the landlord")


def test_style_that_cannot_be_read_is_told(window: Neo4jBrowser) -> None:
    with pytest.raises(AssertionError, match="InvalidGrassError"):
        window.style("node { colour")


def test_url_cannot_carry_what_browser_splits_at() -> None:
    with pytest.raises(AssertionError, match="# or &"):
        browser_url("http://127.0.0.1:7474", "bolt://127.0.0.1:7687", "MATCH (n:A&B) RETURN n")
