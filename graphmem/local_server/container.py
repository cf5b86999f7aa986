"""The same server from a Docker engine, through the `docker` command."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from graphmem.errors import ConfigurationError, StoreUnavailable

_PULL_SECONDS = 900


def engine_answers() -> bool:
    """Whether a Docker engine (not only the client) can be used by this user."""
    return _docker("version", "--format", "{{.Server.Version}}", seconds=20).returncode == 0


def image_for(version: str) -> str:
    return f"neo4j:{version}-community"


def has_image(image: str) -> bool:
    """Whether the image is here, or could be pulled now."""
    if _docker("image", "inspect", image, seconds=20).returncode == 0:
        return True
    return _docker("pull", "--quiet", image, seconds=_PULL_SECONDS).returncode == 0


def name_for(home: Path) -> str:
    """One container per home."""
    return "graphmem-neo4j-" + hashlib.sha256(str(home).encode()).hexdigest()[:12]


def run_command(home: Path, image: str, ports: tuple[int, int], *, heap: str) -> tuple[str, ...]:
    """The environment with the password comes on stdin, so that it stands on no command line and in no file."""
    (home / "data").mkdir(parents=True, exist_ok=True)
    bolt, http = ports
    return (
        *("docker", "run", "--detach", "--name", name_for(home), "--user", f"{os.getuid()}:{os.getgid()}", "--env-file", "/dev/stdin"),
        *("--publish", f"127.0.0.1:{bolt}:7687", "--publish", f"127.0.0.1:{http}:7474"),
        *("--volume", f"{home / 'data'}:/data", "--volume", f"{home / 'logs'}:/logs"),
        *("--env", f"NEO4J_server_memory_heap_max__size={heap}", "--env", f"NEO4J_server_bolt_advertised__address=127.0.0.1:{bolt}"),
        image,
    )


def run(command: Sequence[str], environment: str) -> None:
    if shutil.which("docker") is None:
        raise ConfigurationError("the docker command is not on PATH; install Docker, or use Maven and Java")
    done = subprocess.run(list(command), input=environment, capture_output=True, text=True, check=False)  # noqa: S603 — built by `run_command`
    if done.returncode:
        raise StoreUnavailable(f"docker run failed: {done.stderr.strip()[-300:]}")


def is_running(name: str) -> bool:
    return _docker("inspect", "--format", "{{.State.Running}}", name, seconds=20).stdout.strip() == "true"


def remove(name: str, *, seconds: float) -> None:
    _docker("stop", "--time", f"{seconds:.0f}", name, seconds=seconds + 30)
    _docker("rm", "--force", name, seconds=30)


def kill(name: str) -> None:
    _docker("kill", name, seconds=30)


def _docker(*arguments: str, seconds: float) -> subprocess.CompletedProcess[str]:
    """Return code 127 where there is no docker command, 124 where it hangs."""
    docker = shutil.which("docker")
    if docker is None:
        return subprocess.CompletedProcess(arguments, 127, "", "no docker command")
    try:
        return subprocess.run([docker, *arguments], capture_output=True, text=True, timeout=seconds, check=False)  # noqa: S603 — fixed verbs
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(arguments, 124, "", "docker did not answer")
