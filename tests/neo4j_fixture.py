"""Fixtures that give real Neo4j servers: NEO4J_URI, else testcontainers, else Maven and Java, else a counted skip.

GRAPHMEM_REQUIRE_NEO4J=1 (and _DOCKER, _BROWSER) makes a failure of what would be skipped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from graphmem.errors import ConfigurationError, StoreUnavailable
from graphmem.local_server import NEWEST, LocalServer, container, start, status, stop
from graphmem.local_server.java import find_java
from graphmem.local_server.maven import default_cache, server_jars

LONG_TERM = "5.26.30"
_MISSING: pytest.StashKey[dict[str, int]] = pytest.StashKey()


@dataclass(frozen=True, slots=True)
class Neo4jServer:
    """Where tests find a server; `auth` is None where it takes every connection."""

    uri: str
    auth: tuple[str, str] | None
    version: str
    how: str

    @property
    def bolt_url(self) -> str:
        """The same server without routing."""
        return "bolt://" + self.uri.split("://", 1)[1]


def skip_or_fail(request: pytest.FixtureRequest, what: str, reason: str) -> NoReturn:
    """Skips and counts it, or fails where GRAPHMEM_REQUIRE_<what> asks for it."""
    if os.environ.get(f"GRAPHMEM_REQUIRE_{what}") == "1":
        pytest.fail(f"GRAPHMEM_REQUIRE_{what}=1, but {reason}", pytrace=False)
    counts = request.config.stash.setdefault(_MISSING, {})
    counts[f"{what}: {reason}"] = counts.get(f"{what}: {reason}", 0) + 1
    pytest.skip(reason)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for reason, count in sorted(config.stash.get(_MISSING, {}).items()):
        terminalreporter.write_line(f"{count} test{'s' if count > 1 else ''} skipped for want of {reason}")


@pytest.fixture(scope="session")
def _neo4j_newest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jServer | str]:
    """A server, or why there is none: the skip is said by each test that asks, so that each is counted."""
    given = os.environ.get("NEO4J_URI")
    if given:
        password = os.environ.get("NEO4J_PASSWORD")
        auth = (os.environ.get("NEO4J_USERNAME", "neo4j"), password) if password else None
        yield Neo4jServer(given, auth, "given", "NEO4J_URI")
    else:
        yield from _container_or_local(NEWEST, tmp_path_factory.mktemp("neo4j"))


@pytest.fixture(scope="session")
def _neo4j_long_term(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jServer | str]:
    yield from _container_or_local(LONG_TERM, tmp_path_factory.mktemp("neo4j-526"))


@pytest.fixture
def neo4j_server(_neo4j_newest: Neo4jServer | str, request: pytest.FixtureRequest) -> Neo4jServer:
    """The session's server of the newest version, shared by all tests: each keeps to its own users."""
    return _server_or_skip(_neo4j_newest, request)


@pytest.fixture
def neo4j_526_server(_neo4j_long_term: Neo4jServer | str, request: pytest.FixtureRequest) -> Neo4jServer:
    """The session's server of the long-term version, which has no SEARCH clause."""
    return _server_or_skip(_neo4j_long_term, request)


@pytest.fixture(scope="session")
def _killable_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("neo4j-killable")
    yield home
    stop(home)


@pytest.fixture
def neo4j_killable(_killable_home: Path, request: pytest.FixtureRequest) -> LocalServer:
    """A running server that the test may `kill` and `restart` (which gives a new value with the new pid)."""
    return status(_killable_home) or _local_or_skip(_killable_home, request)


@pytest.fixture
def maven_and_java(request: pytest.FixtureRequest) -> None:
    """For tests that start servers of their own."""
    try:
        find_java(NEWEST, java_home=java_home())
        server_jars(NEWEST, default_cache())
    except (ConfigurationError, StoreUnavailable) as error:
        skip_or_fail(request, "NEO4J", str(error))


@pytest.fixture(scope="session")
def _browser_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("neo4j-browser")
    yield home
    stop(home)


@pytest.fixture
def neo4j_browser_server(_browser_home: Path, request: pytest.FixtureRequest) -> LocalServer:
    """A server without a password that serves Neo4j Browser at `http_url`/browser/."""
    return status(_browser_home) or _local_or_skip(_browser_home, request, browser=True)


def _local_or_skip(home: Path, request: pytest.FixtureRequest, *, browser: bool = False) -> LocalServer:
    try:
        return start(home, via="java", browser=browser, java_home=java_home())
    except (ConfigurationError, StoreUnavailable) as error:
        skip_or_fail(request, "NEO4J", str(error))


def _server_or_skip(found: Neo4jServer | str, request: pytest.FixtureRequest) -> Neo4jServer:
    if isinstance(found, str):
        skip_or_fail(request, "NEO4J", found)
    return found


def _container_or_local(version: str, home: Path) -> Iterator[Neo4jServer | str]:
    image = container.image_for(version)
    if container.engine_answers() and container.has_image(image):
        yield from _container(image, version)
        return
    try:
        server = start(home, version=version, via="java", java_home=java_home())
    except (ConfigurationError, StoreUnavailable) as error:
        yield str(error)
        return
    yield Neo4jServer(server.uri, None, version, "Maven and Java")
    stop(home)


def _container(image: str, version: str) -> Iterator[Neo4jServer]:
    from testcontainers.community.neo4j import Neo4jContainer  # noqa: PLC0415 — only where there is an engine

    with Neo4jContainer(image, username="neo4j", password="only-for-tests") as running:
        uri = running.get_connection_url().replace("bolt://", "neo4j://")
        yield Neo4jServer(uri, ("neo4j", "only-for-tests"), version, "testcontainers")


def java_home() -> Path | None:
    given = os.environ.get("JAVA_HOME")
    return Path(given) if given else None
