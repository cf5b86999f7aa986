from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import neo4j
import pytest

from graphmem.errors import ConfigurationError, StoreUnavailable
from graphmem.local_server import LocalServer, container, java, maven, process, start, status, stop
from graphmem.local_server.java import Java, find_java, java_major, supported_java
from tests.neo4j_fixture import Neo4jServer, java_home


def script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def fake_java(home: Path, version: str) -> Path:
    return script(home / "bin" / "java", f"echo 'openjdk version \"{version}\" 2025-01-01' >&2")


@pytest.mark.parametrize(
    ("said", "major"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('openjdk version "25" 2025-09-16 LTS', 25),
        ('java version "1.8.0_402"', 8),
        ('openjdk version "24-ea" 2025-03-18', 24),
        ("No Java runtime present, requesting install.", None),
    ],
)
def test_java_version_is_read_from_what_java_says(said: str, major: int | None) -> None:
    assert java_major(said) == major


@pytest.mark.parametrize(("version", "java"), [("5.26.30", (17, 21)), ("2025.01.0", (21, 99)), ("2026.09.0", (21, 99))])
def test_each_neo4j_line_has_its_java(version: str, java: tuple[int, int]) -> None:
    assert supported_java(version) == java


@pytest.mark.parametrize(("version", "chosen"), [("5.26.30", "17.0.1"), ("2026.09.0", "21.0.2")])
def test_first_java_that_fits_is_taken(version: str, chosen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = fake_java(tmp_path / "home", "11.0.1").parent.parent
    monkeypatch.setenv("PATH", str(fake_java(tmp_path / "on-path", "17.0.1").parent) + ":/bin:/usr/bin")
    installed = {fake_java(tmp_path / f"jdk-{found}", found) for found in ("25.0.1", "21.0.2", "8.0.1")}
    monkeypatch.setattr(java, "_installed", lambda: installed)
    assert find_java(version, java_home=home).major == int(chosen.partition(".")[0])


def test_java_home_goes_before_path(tmp_path: Path) -> None:
    path = fake_java(tmp_path, "21.0.9")
    assert find_java("2026.09.0", java_home=tmp_path) == Java(path, 21)


def test_without_a_java_that_fits_the_error_says_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "_installed", set)
    monkeypatch.setenv("PATH", str(tmp_path))
    old = fake_java(tmp_path / "old", "11.0.1")
    with pytest.raises(ConfigurationError, match=rf"needs Java 21 or newer; found: 11 at {old}.*JAVA_HOME"):
        find_java("2026.09.0", java_home=tmp_path / "old")
    with pytest.raises(ConfigurationError, match=r"needs Java 17 to 21; found: none"):
        find_java("5.26.30", java_home=tmp_path / "nowhere")


def test_usual_folders_hold_only_javas_that_run() -> None:
    assert all(binary.is_file() for binary in java._installed())


def test_without_maven_the_error_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match=r"Maven .* is not on PATH"):
        maven.server_jars("2026.09.0", tmp_path / "cache")


def test_maven_that_fails_is_told_with_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "bin" / "mvn", "echo '[INFO] resolving'; echo '[ERROR] Unknown host repo.example'; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin:/usr/bin")
    with pytest.raises(StoreUnavailable, match=r"org\.neo4j:neo4j:2026\.09\.0 .*reachable.*Unknown host"):
        maven.server_jars("2026.09.0", tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_jars_are_fetched_once_and_a_half_folder_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = f'echo run >> {tmp_path}/runs; for word in "$@"; do case $word in -DoutputDirectory=*) mkdir -p "${{word#*=}}"; echo x > "${{word#*=}}/a.jar";; esac; done'
    script(tmp_path / "bin" / "mvn", body)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin:/usr/bin")
    (tmp_path / "server-1.0").mkdir()
    (tmp_path / "server-1.0" / "half.jar").touch()
    folders = {maven.server_jars("1.0", tmp_path) for _ in range(2)}
    assert folders == {tmp_path / "server-1.0"}
    assert {jar.name for jar in (tmp_path / "server-1.0").glob("*.jar")} == {"a.jar"}
    assert (tmp_path / "runs").read_text().count("run") == 1


def test_process_is_known_by_its_command_line_not_by_its_pid(tmp_path: Path) -> None:
    pid = process.spawn_detached(["/bin/sh", "-c", "trap '' TERM; while :; do sleep 0.1; done", "mark-of-this-test"], tmp_path / "log")
    assert process.is_running(pid, "mark-of-this-test")
    process.kill(pid, "another-mark")
    assert process.is_running(pid, "mark-of-this-test"), "a process with another command line was killed"
    process.end(pid, "mark-of-this-test", seconds=0.5)
    assert not process.is_running(pid, "mark-of-this-test"), "a process that ignores SIGTERM lives on"
    process.end(pid, "mark-of-this-test", seconds=0.5)


def test_output_of_a_detached_process_goes_to_its_log(tmp_path: Path) -> None:
    pid = process.spawn_detached(["/bin/sh", "-c", "echo out; echo err >&2", "mark"], tmp_path / "log")
    assert process.wait_gone(pid, "mark", seconds=5)
    assert sorted((tmp_path / "log").read_text().split()) == ["err", "out"]


def test_only_a_bolt_server_answers_bolt() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert process.port_taken(port)
        assert not process.bolt_answers(port, seconds=0.2), "a server that says nothing"
    assert not process.bolt_answers(port), "nothing listens"


def test_home_without_a_server_has_no_status(tmp_path: Path) -> None:
    assert status(tmp_path) is None
    assert not stop(tmp_path)


@pytest.mark.parametrize("content", ["not json", "{}", '{"home": 1}', "[]"])
def test_unreadable_state_file_is_told(content: str, tmp_path: Path) -> None:
    (tmp_path / "graphmem-server.json").write_text(content)
    with pytest.raises(ConfigurationError, match=r"graphmem-server\.json cannot be read"):
        status(tmp_path)


def test_taken_port_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, pytest.raises(ConfigurationError, match="is taken"):
        start(tmp_path, bolt_port=listener.getsockname()[1], via="java")
    assert list(tmp_path.iterdir()) == []


def test_docker_command_keeps_the_password_out(tmp_path: Path) -> None:
    command = container.run_command(tmp_path, "neo4j:1-community", (7001, 7002), heap="300m")
    assert "127.0.0.1:7001:7687" in command
    assert not any("NEO4J_AUTH" in word for word in command)
    assert container.name_for(tmp_path) != container.name_for(tmp_path / "other")


def test_without_a_docker_command_no_engine_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not container.engine_answers()
    assert not container.has_image("neo4j:1-community")
    with pytest.raises(ConfigurationError, match="docker command is not on PATH"):
        container.run(["docker", "run"], "")


def query(server: LocalServer | Neo4jServer, text: str, auth: tuple[str, str] | None = None) -> list[object]:
    with neo4j.GraphDatabase.driver(server.uri, auth=auth) as driver:
        return [record.values()[0] for record in driver.execute_query(text).records]


@pytest.mark.neo4j
def test_fixture_gives_the_newest_server(neo4j_server: Neo4jServer) -> None:
    versions = query(
        neo4j_server, "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0]", neo4j_server.auth
    )
    assert versions == [neo4j_server.version] or neo4j_server.how == "NEO4J_URI"


@pytest.mark.neo4j
def test_fixture_gives_the_long_term_server(neo4j_526_server: Neo4jServer) -> None:
    (version,) = query(
        neo4j_526_server,
        "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0]",
        neo4j_526_server.auth,
    )
    assert str(version).startswith("5.26")


@pytest.mark.neo4j
def test_killed_server_keeps_what_it_acknowledged_and_comes_back_on_its_port(neo4j_killable: LocalServer) -> None:
    query(neo4j_killable, "CREATE (:LocalServerProbe {name: 'acknowledged'})")
    neo4j_killable.kill()
    assert not neo4j_killable.running
    assert status(neo4j_killable.home) is None
    again = neo4j_killable.restart()
    assert (again.uri, again.running, again.pid != neo4j_killable.pid) == (neo4j_killable.uri, True, True)
    assert query(again, "MATCH (n:LocalServerProbe) DETACH DELETE n RETURN 'acknowledged'") == ["acknowledged"]


@pytest.mark.neo4j
def test_password_is_asked_for_and_start_is_repeatable(maven_and_java: None, tmp_path: Path) -> None:
    server = start(tmp_path, via="java", password="long-enough-secret", heap="300m", java_home=java_home())
    try:
        assert start(tmp_path, via="java") == server == status(tmp_path)
        assert query(server, "RETURN 1", ("neo4j", "long-enough-secret")) == [1]
        with pytest.raises(neo4j.exceptions.AuthError):
            query(server, "RETURN 1", ("neo4j", "a-wrong-password"))
        assert "long-enough-secret" not in (tmp_path / "graphmem-server.json").read_text()
        assert process.port_taken(server.http_port)
    finally:
        assert stop(tmp_path)


@pytest.mark.neo4j
def test_server_that_cannot_start_says_why(maven_and_java: None, tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(StoreUnavailable, match=r"ended while it started: .*no\.such\.setting"):
        start(tmp_path, via="java", settings={"no.such.setting": "1"}, java_home=java_home())
    assert time.monotonic() - began < 120
    assert status(tmp_path) is None


@pytest.mark.neo4j
def test_short_password_is_refused_with_the_rule(maven_and_java: None, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="8 characters"):
        start(tmp_path, via="java", password="short", java_home=java_home())
    assert os.listdir(tmp_path / "conf") == ["neo4j.conf"]  # noqa: PTH208 — names are compared
