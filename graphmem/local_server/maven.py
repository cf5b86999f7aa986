"""Fetches Neo4j's jars from a Maven repository into a cache folder, once per version."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from graphmem.errors import ConfigurationError, StoreUnavailable

BROWSER_VERSION = "5.15.0"
_COMPLETE = ".complete"
_DOWNLOAD_SECONDS = 1200

_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>graphmem</groupId><artifactId>local-server</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>
      <exclusions><exclusion><groupId>org.neo4j</groupId><artifactId>io-test-utils</artifactId></exclusion></exclusions>
    </dependency>
  </dependencies>
</project>
"""


def default_cache() -> Path:
    """Where this platform keeps what can be fetched again."""
    base = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return base / "graphmem" / "neo4j"


def server_jars(version: str, cache: Path) -> Path:
    """Folder with the jars of Neo4j Community `version` (about 230, 155 MB)."""
    return _jars("org.neo4j", "neo4j", version, cache / f"server-{version}")


def browser_jars(cache: Path) -> Path:
    """Folder with the jar that serves Neo4j Browser at /browser/; newer ones are not published."""
    return _jars("org.neo4j.client", "neo4j-browser", BROWSER_VERSION, cache / f"browser-{BROWSER_VERSION}")


def _jars(group: str, artifact: str, version: str, folder: Path) -> Path:
    """Downloads beside the folder and renames, so that an interrupted or parallel download leaves no half folder."""
    if (folder / _COMPLETE).exists():
        return folder
    mvn = shutil.which("mvn")
    if mvn is None:
        raise ConfigurationError(
            "Maven (`mvn`) is not on PATH; install it to run a local Neo4j server, or start one with Docker and set NEO4J_URI"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as work:
        pom = Path(work) / "pom.xml"
        pom.write_text(_POM.format(group=group, artifact=artifact, version=version), encoding="utf-8")
        _copy_dependencies(mvn, pom, Path(work) / "lib", f"{group}:{artifact}:{version}")
        (Path(work) / "lib" / _COMPLETE).touch()
        _publish(Path(work) / "lib", folder)
    return folder


def _copy_dependencies(mvn: str, pom: Path, target: Path, what: str) -> None:
    command = [mvn, "-B", "-q", "-f", str(pom), "dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={target}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_DOWNLOAD_SECONDS, check=False)  # noqa: S603 — fixed arguments, the pom is ours
    except subprocess.TimeoutExpired as exc:
        raise StoreUnavailable(f"Maven did not fetch {what} within {_DOWNLOAD_SECONDS} s; try again with a better connection") from exc
    if done.returncode or not any(target.glob("*.jar")):
        told = [line for line in (done.stdout + done.stderr).splitlines() if "ERROR" in line]
        raise StoreUnavailable(f"Maven could not fetch {what} (is a Maven repository reachable?): {' '.join(told[:2]) or 'no message'}")


def _publish(fetched: Path, folder: Path) -> None:
    if folder.exists() and not (folder / _COMPLETE).exists():
        shutil.rmtree(folder)
    try:
        fetched.rename(folder)
    except OSError:
        if not (folder / _COMPLETE).exists():  # another process was not the one that finished first
            raise
