"""Processes that outlive their starter: told apart by their command line, so that a reused pid is never signalled."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

_BOLT_HELLO = bytes.fromhex("6060b017 00080805 00040404 00000000 00000000")  # magic, 5.0 to 5.8, 4.0 to 4.4
_POLL_SECONDS = 0.1


def spawn_detached(command: Sequence[str], log: Path) -> int:
    """Starts a process in its own session, adopted by init, with its output appended to `log`; its pid."""
    script = 'log=$1; shift; "$@" </dev/null >>"$log" 2>&1 & echo $!'
    done = subprocess.run(  # noqa: S603 — the command is built by this package
        ["/bin/sh", "-c", script, "sh", str(log), *command], start_new_session=True, check=True, capture_output=True, text=True
    )
    return int(done.stdout)


def is_running(pid: int, mark: str) -> bool:
    """Whether `pid` lives and its command line holds `mark`."""
    return mark in command_line(pid)


def command_line(pid: int) -> str:
    """Empty for a process that is gone or a zombie."""
    proc = Path(f"/proc/{pid}/cmdline")
    if Path("/proc/self/cmdline").exists():
        try:
            return proc.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            return ""
    done = subprocess.run(["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S603 — a number
    return done.stdout


def end(pid: int, mark: str, *, seconds: float) -> None:
    """Asks the process to end, and makes it end when it has not after `seconds`."""
    _signal(pid, mark, signal.SIGTERM)
    if not wait_gone(pid, mark, seconds=seconds):
        kill(pid, mark)


def kill(pid: int, mark: str) -> None:
    _signal(pid, mark, signal.SIGKILL)
    wait_gone(pid, mark, seconds=30)


def wait_gone(pid: int, mark: str, *, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while is_running(pid, mark):
        if time.monotonic() > until:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _signal(pid: int, mark: str, number: signal.Signals) -> None:
    if is_running(pid, mark):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return


def bolt_answers(port: int, *, host: str = "127.0.0.1", seconds: float = 2.0) -> bool:
    """Whether a Bolt server agrees on a protocol version there (the handshake of the Bolt specification)."""
    try:
        with socket.create_connection((host, port), timeout=seconds) as connection:
            connection.sendall(_BOLT_HELLO)
            answer = connection.recv(4)
    except OSError:
        return False
    return len(answer) == 4 and answer != bytes(4) and answer != b"HTTP"


def free_port() -> int:
    """A port that is free now on loopback."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def port_taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(("127.0.0.1", port)) == 0
