"""Starts, stops and describes one Neo4j server that belongs to one folder."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal, assert_never

from graphmem.errors import ConfigurationError, StoreUnavailable
from graphmem.local_server import container, process
from graphmem.local_server.java import find_java
from graphmem.local_server.maven import browser_jars, default_cache, server_jars

NEWEST = "2026.09.0"
_STATE_FILE = "graphmem-server.json"
_START_SECONDS = 300.0  # seconds on an idle machine, minutes on a loaded one
_STOP_SECONDS = 60.0
_OPENS = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch")


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered when this value was made; `home` keeps its data, logs and state file."""

    home: Path
    version: str
    via: Literal["docker", "java"]
    pid: int  # of the Java process; 0 in a container
    bolt_port: int
    http_port: int
    auth: Literal["none", "password"]
    command: tuple[str, ...]  # starts it again with the same ports, settings and data

    @property
    def uri(self) -> str:
        return f"neo4j://127.0.0.1:{self.bolt_port}"

    @property
    def bolt_url(self) -> str:
        """The same server without routing, which Neo4j Browser takes."""
        return f"bolt://127.0.0.1:{self.bolt_port}"

    @property
    def http_url(self) -> str:
        return f"http://127.0.0.1:{self.http_port}"

    @property
    def running(self) -> bool:
        match self.via:
            case "java":
                return process.is_running(self.pid, _mark(self.home))
            case "docker":
                return container.is_running(container.name_for(self.home))
            case _:
                assert_never(self.via)

    def stop(self) -> None:
        """Ends it in order; its data stays in `home`."""
        match self.via:
            case "java":
                process.end(self.pid, _mark(self.home), seconds=_STOP_SECONDS)
            case "docker":
                container.remove(container.name_for(self.home), seconds=_STOP_SECONDS)
            case _:
                assert_never(self.via)

    def kill(self) -> None:
        """SIGKILL, as a crash would: nothing is flushed."""
        match self.via:
            case "java":
                process.kill(self.pid, _mark(self.home))
            case "docker":
                container.kill(container.name_for(self.home))
            case _:
                assert_never(self.via)

    def restart(self) -> LocalServer:
        """Stops it if it runs, and starts it with the same ports and settings; the new value has the new pid."""
        self.stop()
        return _launch(self, auth_line="")


def start(
    home: Path,
    *,
    version: str = NEWEST,
    bolt_port: int | None = None,
    http_port: int | None = None,
    password: str | None = None,
    browser: bool = False,
    heap: str = "512m",
    via: Literal["auto", "docker", "java"] = "auto",
    cache: Path | None = None,
    java_home: Path | None = None,
    settings: Mapping[str, str] | None = None,
) -> LocalServer:
    """Starts Neo4j Community with its data in `home`, and returns when it answers; what runs there already is returned as it is.

    Free ports are picked where none is given. Without `password` it takes every connection from this machine; with one, the
    user is `neo4j` and the password is set on the first start of a home. `heap` is Java's notation. `settings` are lines of
    neo4j.conf. `via="auto"` takes a Docker engine that has the image or can pull it, else Maven and Java.
    """
    home = home.expanduser().resolve()
    running = status(home)
    if running is not None:
        return running
    ports = _ports(bolt_port, http_port)
    (home / "logs").mkdir(parents=True, exist_ok=True)
    auth: Literal["none", "password"] = "none" if password is None else "password"
    image = container.image_for(version)
    if via == "docker" or (via == "auto" and container.engine_answers() and container.has_image(image)):
        command = container.run_command(home, image, ports, heap=heap)
        planned = LocalServer(home, version, "docker", 0, *ports, auth, command)
    else:
        command = _java_command(home, version, heap, browser=browser, cache=cache or default_cache(), java_home=java_home)
        _write_conf(home, ports, auth, settings or {})
        if password is not None:
            _set_initial_password(home, command, password)
        planned = LocalServer(home, version, "java", 0, *ports, auth, command)
    return _launch(planned, auth_line="NEO4J_AUTH=none" if password is None else f"NEO4J_AUTH=neo4j/{password}")


def status(home: Path) -> LocalServer | None:
    """The server of this home if it runs."""
    try:
        state = json.loads((home.expanduser().resolve() / _STATE_FILE).read_text(encoding="utf-8"))
        known = LocalServer(**{**state, "home": Path(state["home"]), "command": tuple(state["command"])})
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError) as exc:
        raise ConfigurationError(f"{home / _STATE_FILE} cannot be read ({exc}); remove it if no server runs there") from exc
    return known if known.running else None


def stop(home: Path) -> bool:
    """Ends the server of this home; whether one ran."""
    running = status(home)
    if running is None:
        return False
    running.stop()
    return True


def _launch(planned: LocalServer, *, auth_line: str) -> LocalServer:
    """`auth_line` goes to a container's environment; a Java server has its own in its conf and data."""
    match planned.via:
        case "java":
            server = replace(planned, pid=process.spawn_detached(planned.command, _console(planned.home)))
        case "docker":
            container.run(planned.command, auth_line)
            server = planned
        case _:
            assert_never(planned.via)
    state = asdict(server) | {"home": str(server.home)}
    (server.home / _STATE_FILE).write_text(json.dumps(state, indent=1), encoding="utf-8")
    _wait_until_it_answers(server)
    return server


def _wait_until_it_answers(server: LocalServer) -> None:
    until = time.monotonic() + _START_SECONDS
    while not (process.bolt_answers(server.bolt_port) and process.port_taken(server.http_port)):
        if not server.running:
            raise StoreUnavailable(f"Neo4j {server.version} ended while it started: {_last_words(server)}")
        if time.monotonic() > until:
            server.stop()
            raise StoreUnavailable(f"Neo4j {server.version} did not answer within {_START_SECONDS:.0f} s: {_last_words(server)}")
        time.sleep(0.1)


def _last_words(server: LocalServer) -> str:
    """The end of the logs without stack frames."""
    lines: list[str] = []
    for log in (server.home / "logs" / "neo4j.log", _console(server.home)):
        if log.exists():
            lines += [
                line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line and not line.startswith("\tat ")
            ]
    return " / ".join(lines[-5:]) or f"see {server.home / 'logs'}"


def _java_command(home: Path, version: str, heap: str, *, browser: bool, cache: Path, java_home: Path | None) -> tuple[str, ...]:
    java = find_java(version, java_home=java_home)
    folders = [server_jars(version, cache)] + ([browser_jars(cache)] if browser else [])
    opens = [f"--add-opens={package}=ALL-UNNAMED" for package in _OPENS]
    quiet = ["--enable-native-access=ALL-UNNAMED"] + (["--sun-misc-unsafe-memory-access=allow"] if java.major >= 24 else [])
    memory = ["-Xms" + heap, "-Xmx" + heap, "-XX:+UseSerialGC"]
    classes = ["-cp", ":".join(f"{folder}/*" for folder in folders), _main_class(version)]
    own = [_mark(home).strip(), f"--config-dir={home / 'conf'}"]
    return (str(java.path), *memory, *opens, *quiet, "--add-modules=jdk.incubator.vector", *classes, *own)


def _main_class(version: str) -> str:
    return "org.neo4j.server.CommunityEntryPoint" if version.startswith("5.") else "org.neo4j.server.Neo4jCommunity"


def _mark(home: Path) -> str:
    """What only this home's server has on its command line; the blank keeps `/a` and `/a2` apart."""
    return f"--home-dir={home} "


def _write_conf(home: Path, ports: tuple[int, int], auth: str, settings: Mapping[str, str]) -> None:
    lines = {
        "server.default_listen_address": "127.0.0.1",
        "server.default_advertised_address": "127.0.0.1",
        "server.bolt.listen_address": f":{ports[0]}",
        "server.bolt.advertised_address": f":{ports[0]}",
        "server.http.listen_address": f":{ports[1]}",
        "server.http.advertised_address": f":{ports[1]}",
        "server.memory.pagecache.size": "128m",
        "db.tx_log.preallocate": "false",  # else every home takes 0.5 GB of disk at once
        "dbms.usage_report.enabled": "false",
        "dbms.security.auth_enabled": "false" if auth == "none" else "true",
        **settings,
    }
    (home / "conf").mkdir(parents=True, exist_ok=True)
    (home / "conf" / "neo4j.conf").write_text("".join(f"{key}={value}\n" for key, value in lines.items()), encoding="utf-8")


def _set_initial_password(home: Path, command: tuple[str, ...], password: str) -> None:
    """Only where the home has no users yet; afterwards the password is the server's to change."""
    if (home / "data" / "databases" / "system").exists():
        return
    if len(password) < 8:
        raise ConfigurationError("Neo4j takes passwords of 8 characters or more")
    at = command.index("-cp")
    admin = [command[0], "-cp", command[at + 1], "org.neo4j.server.startup.Neo4jAdminCommand", "dbms", "set-initial-password", password]
    environment = {"NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    done = subprocess.run(admin, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 — Neo4j's own admin class
    if done.returncode:
        raise ConfigurationError(f"Neo4j did not take the password: {(done.stderr or done.stdout).strip()[-300:]}")


def _console(home: Path) -> Path:
    return home / "logs" / "console.log"


def _ports(bolt_port: int | None, http_port: int | None) -> tuple[int, int]:
    for port in (bolt_port, http_port):
        if port is not None and process.port_taken(port):
            raise ConfigurationError(f"port {port} is taken by another program; choose another, or leave it out")
    bolt = bolt_port or process.free_port()
    http = http_port or process.free_port()
    return (bolt, http) if bolt != http else _ports(bolt_port, http_port)
