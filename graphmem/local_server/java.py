"""Finds a Java that a given Neo4j version runs on."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import ConfigurationError

_FOLDERS = (
    "/usr/lib/jvm/*",
    "/usr/lib64/jvm/*",
    "/usr/java/*",
    "/opt/java/*",
    "/opt/jdk*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
)
_BREW = ("/opt/homebrew/opt/openjdk*", "/usr/local/opt/openjdk*", "/home/linuxbrew/.linuxbrew/opt/openjdk*")
_PER_USER = (".sdkman/candidates/java/*", ".jdks/*", ".local/share/mise/installs/java/*")


@dataclass(frozen=True, slots=True)
class Java:
    path: Path
    major: int


def find_java(neo4j_version: str, *, java_home: Path | None = None) -> Java:
    """The first that fits of `java_home`, the `java` on PATH, and the usual folders (there the oldest that fits)."""
    oldest, newest = supported_java(neo4j_version)
    seen: list[Java] = []
    for path in _candidates(java_home):
        java = inspect_java(path)
        if java is None:
            continue
        if oldest <= java.major <= newest:
            return java
        seen.append(java)
    found = ", ".join(f"{java.major} at {java.path}" for java in seen) or "none"
    raise ConfigurationError(
        f"Neo4j {neo4j_version} needs Java {_range_text(oldest, newest)}; found: {found}. "
        "Install a JDK (for example from adoptium.net) or set JAVA_HOME to one"
    )


def supported_java(neo4j_version: str) -> tuple[int, int]:
    """Oldest and newest Java major version, both inclusive, by Neo4j's system requirements."""
    return (17, 21) if neo4j_version.startswith("5.") else (21, 99)


def inspect_java(path: Path) -> Java | None:
    """None for what does not run or does not say a version, such as macOS's stub."""
    try:
        done = subprocess.run([str(path), "-version"], capture_output=True, text=True, timeout=30, check=False)  # noqa: S603 — a java that this user has installed
    except (OSError, subprocess.TimeoutExpired):
        return None
    major = java_major(done.stderr + done.stdout)
    return None if done.returncode or major is None else Java(path, major)


def java_major(version_text: str) -> int | None:
    """17 from `openjdk version "17.0.15" …`, 8 from `java version "1.8.0_402"`."""
    match = re.search(r'version "(?:1\.)?(\d+)', version_text)
    return int(match[1]) if match else None


def _candidates(java_home: Path | None) -> Iterator[Path]:
    if java_home is not None:
        yield java_home / "bin" / "java"
    on_path = shutil.which("java")
    if on_path is not None:
        yield Path(on_path)
    yield from sorted(_installed(), key=_version_in_name)


def _installed() -> set[Path]:
    """Links resolved, so that an alias folder is not asked twice."""
    patterns = [(Path("/"), pattern.lstrip("/")) for pattern in (*_FOLDERS, *_BREW)] + [(Path.home(), pattern) for pattern in _PER_USER]
    return {binary.resolve() for start, pattern in patterns for binary in start.glob(f"{pattern}/bin/java") if binary.is_file()}


def _version_in_name(binary: Path) -> tuple[int, str]:
    numbers = re.findall(r"\d+", binary.parent.parent.name)
    majors = [int(number) for number in numbers if number != "1"]
    return (majors[0] if majors else 0, str(binary))


def _range_text(oldest: int, newest: int) -> str:
    return f"{oldest} or newer" if newest >= 99 else f"{oldest} to {newest}"
