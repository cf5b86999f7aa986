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
_START_SECONDS = 180.0
_STOP_SECONDS = 60.0
_OPENS = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch")

type_Via = Literal["docker", "java"]


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
        return _launch(self)


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
        command = container.run_command(home, image, ports, password=password, heap=heap)
        planned = LocalServer(home, version, "docker", 0, *ports, auth, command)
    else:
        command = _java_command(home, version, heap, browser=browser, cache=cache or default_cache(), java_home=java_home)
        _write_conf(home, ports, auth, settings or {})
        if password is not None:
            _set_initial_password(home, command, password)
        planned = LocalServer(home, version, "java", 0, *ports, auth, command)
    return _launch(planned)


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
