"""The Docker image and the compose file, run for real; on stand-in images where no registry can be reached."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from graphmem.local_server import NEWEST, container, process, start, status, stop
from tests.neo4j_fixture import skip_or_fail

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker" / "compose.yaml"


@pytest.fixture
def docker_engine(request: pytest.FixtureRequest) -> None:
    if not container.engine_answers():
        skip_or_fail(request, "DOCKER", "no Docker engine answers")


@pytest.fixture
def neo4j_image(docker_engine: None, request: pytest.FixtureRequest) -> str:
    image = os.environ.get("NEO4J_IMAGE") or container.image_for(NEWEST)
    if not container.has_image(image):
        skip_or_fail(request, "DOCKER", f"the image {image} is not here and cannot be pulled")
    return image


def test_testcontainers_starts_the_image_and_it_answers_cypher(neo4j_image: str) -> None:
    from testcontainers.community.neo4j import Neo4jContainer  # noqa: PLC0415 — needs an engine

    with Neo4jContainer(neo4j_image) as running, running.get_driver() as driver:
        records, _, _ = driver.execute_query("CYPHER 25 UNWIND [1, 2, 3] AS n RETURN sum(n) AS total")
    assert records[0]["total"] == 6


def test_local_server_runs_in_a_container_where_an_engine_answers(
    docker_engine: None, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    if not container.has_image(container.image_for(NEWEST)):
        skip_or_fail(request, "DOCKER", f"the image {container.image_for(NEWEST)} is not here and cannot be pulled")
    server = start(tmp_path, password="long-enough-secret", heap="300m")
    try:
        assert (server.via, server.running, status(tmp_path)) == ("docker", True, server)
        with neo4j.GraphDatabase.driver(server.uri, auth=("neo4j", "long-enough-secret")) as driver:
            driver.execute_query("CREATE (:Kept {name: 'kept'})")
        server.kill()
        assert status(tmp_path) is None
        with neo4j.GraphDatabase.driver(server.restart().uri, auth=("neo4j", "long-enough-secret")) as driver:
            assert driver.execute_query("MATCH (n:Kept) RETURN n.name AS name").records[0]["name"] == "kept"
    finally:
        stop(tmp_path)
    assert status(tmp_path) is None


class Compose:
    """The project of one test: its own name, ports and volumes."""

    def __init__(self, image: str) -> None:
        self.command = ["docker", "compose"] if _plugin() else ["docker-compose"]
        self.rest_port, bolt, http = process.free_port(), process.free_port(), process.free_port()
        self.environment = os.environ | {
            "NEO4J_IMAGE": image,
            "NEO4J_PASSWORD": "only-for-tests",
            "NEO4J_HEAP": "512m",
            "NEO4J_BOLT_PORT": str(bolt),
            "NEO4J_HTTP_PORT": str(http),
            "GRAPHMEM_PORT": str(self.rest_port),
            "GRAPHMEM_EXTRAS": os.environ.get("GRAPHMEM_EXTRAS", "rest"),
        }

    def run(self, *arguments: str) -> str:
        line = [*self.command, "--file", str(COMPOSE), "--project-name", "graphmem-smoke", *arguments]
        done = subprocess.run(line, env=self.environment, capture_output=True, text=True, timeout=240, check=False)
        assert done.returncode == 0, f"{' '.join(line)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout


def _plugin() -> bool:
    return subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode == 0


@pytest.fixture
def compose(neo4j_image: str, request: pytest.FixtureRequest) -> Iterator[Compose]:
    project = Compose(neo4j_image)
    if shutil.which(project.command[0]) is None:
        skip_or_fail(request, "DOCKER", "neither `docker compose` nor docker-compose is installed")
    yield project
    project.run("down", "--volumes", "--timeout", "5")


def test_compose_file_is_valid(compose: Compose) -> None:
    assert "graphmem" in compose.run("config", "--services").split()


def test_neo4j_service_becomes_healthy(compose: Compose) -> None:
    compose.run("up", "--detach", "neo4j")
    wait_healthy(compose, "neo4j")
    assert health(compose, "neo4j") == "healthy"


def test_compose_gives_a_healthy_rest_server_on_neo4j(compose: Compose) -> None:
    compose.run("up", "--build", "--detach")
    wait_healthy(compose, "graphmem")
    assert {name: health(compose, name) for name in ("neo4j", "graphmem")} == {"neo4j": "healthy", "graphmem": "healthy"}
    with urllib.request.urlopen(f"http://127.0.0.1:{compose.rest_port}/healthz", timeout=10) as answer:
        assert answer.status == 200
    user = compose.run("exec", "-T", "graphmem", "id", "-u").strip()
    assert user != "0", "the server runs as root"


def wait_healthy(compose: Compose, service: str) -> None:
    for _ in range(120):
        state = health(compose, service)
        if state == "healthy":
            return
        assert state == "starting", f"{service} is {state}:\n{logs(compose, service)}"
        time.sleep(1)
    pytest.fail(f"{service} did not become healthy:\n{logs(compose, service)}")


def logs(compose: Compose, service: str) -> str:
    return compose.run("logs", "--no-color", service)[-3000:]


def health(compose: Compose, service: str) -> str:
    identifier = compose.run("ps", "--quiet", service).strip()
    told = subprocess.run(["docker", "inspect", identifier], capture_output=True, text=True, check=True).stdout
    state = json.loads(told)[0]["State"]
    return str(state["Health"]["Status"]) if state["Running"] else f"ended with {state['ExitCode']}"
