#!/bin/bash
# A Docker engine with images that stand in for the official ones, where no image registry can be reached (Debian, as root):
#   .ci/docker-standins.sh start    engine and images; quick when done already; prints the variables that the tests take
#   .ci/docker-standins.sh stop     ends the engine if this script started it
# An engine that already answers is used as it is, and official images that are already there are kept.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
work=${GRAPHMEM_DOCKER_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/graphmem/docker}
python=${PYTHON:-python3}
version=$("$python" -c 'from graphmem.local_server import NEWEST; print(NEWEST)')
neo4j_image=neo4j:$version-community
base_image=graphmem-standin-base:bookworm
python_image=graphmem-standin-python:3.11
export DOCKER_BUILDKIT=0 # the classic builder needs no image of its own

say() { echo "docker-standins: $*" >&2; }
has_image() { docker image inspect "$1" >/dev/null 2>&1; }

install_packages() {
  local missing=()
  command -v dockerd >/dev/null || missing+=(docker.io)
  command -v docker-compose >/dev/null || missing+=(docker-compose)
  command -v debootstrap >/dev/null || missing+=(debootstrap)
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  apt-get update -q >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null
}

start_engine() {
  docker version --format '{{.Server.Version}}' >/dev/null 2>&1 && return
  rm -f "$work/dockerd.pid"
  setsid dockerd --data-root "$work/data" --pidfile "$work/dockerd.pid" >"$work/dockerd.log" 2>&1 </dev/null &
  for _ in $(seq 100); do
    docker version >/dev/null 2>&1 && return
    sleep 0.2
  done
  say "dockerd did not start:"
  tail -5 "$work/dockerd.log" >&2
  return 1
}

make_base_image() {
  has_image "$base_image" && return
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | sort -u | head -1)
  say "making $base_image"
  rm -rf "$work/base"
  debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$work/base" "${mirror:-http://deb.debian.org/debian}" \
    >"$work/debootstrap.log"
  tar -C "$work/base" -c . | docker import - "$base_image" >/dev/null
  rm -rf "$work/base"
}

make_neo4j_image() {
  if ! has_image "$neo4j_image"; then
    say "making $neo4j_image"
    local context=$work/neo4j
    rm -rf "$context" && mkdir -p "$context"
    "$python" - "$version" >"$work/neo4j-parts" <<'PYTHON'
import sys
from graphmem.local_server.java import find_java
from graphmem.local_server.maven import default_cache, server_jars

print(find_java(sys.argv[1]).path.resolve().parent.parent)
print(server_jars(sys.argv[1], default_cache()))
PYTHON
    cp -rL "$(sed -n 1p "$work/neo4j-parts")" "$context/jdk"
    rm -rf "$context/jdk/jmods" "$context/jdk/lib/src.zip"
    cp -r "$(sed -n 2p "$work/neo4j-parts")" "$context/lib"
    cp "$here/neo4j-standin/Dockerfile" "$here/neo4j-standin/entrypoint.sh" "$context"
    docker build -q --build-arg BASE="$base_image" -t "$neo4j_image" "$context" >/dev/null
    rm -rf "$context"
  fi
  docker tag "$neo4j_image" neo4j:2026-community
}

# The packages are fetched outside the build, which may have no way to a package index of its own.
make_python_image() {
  local stamp
  stamp=$(sha256sum "$root/pyproject.toml" | cut -c1-12)
  has_image "$python_image-$stamp" && { docker tag "$python_image-$stamp" "$python_image"; return; }
  say "making $python_image"
  local context=$work/python
  rm -rf "$context" && mkdir -p "$context"
  "$python" -m pip wheel -q --wheel-dir "$context/wheels" "$root[rest]" hatchling
  rm -f "$context"/wheels/graphmem-*.whl
  printf '[global]\nno-index = true\nfind-links = /wheels\ndisable-pip-version-check = true\n' >"$context/pip.conf"
  printf 'ARG BASE\nFROM ${BASE}\nCOPY wheels /wheels\nCOPY pip.conf /etc/pip.conf\n' >"$context/Dockerfile"
  docker build -q --build-arg BASE="$base_image" -t "$python_image-$stamp" "$context" >/dev/null
  docker tag "$python_image-$stamp" "$python_image"
  rm -rf "$context"
}

start() {
  mkdir -p "$work"
  install_packages
  start_engine
  make_base_image
  make_neo4j_image
  make_python_image
  echo "export DOCKER_BUILDKIT=0 COMPOSE_DOCKER_CLI_BUILD=0 TESTCONTAINERS_RYUK_DISABLED=true"
  echo "export NEO4J_IMAGE=$neo4j_image GRAPHMEM_BASE=$python_image GRAPHMEM_EXTRAS=rest"
}

stop() {
  [ -e "$work/dockerd.pid" ] || return 0
  local pid
  pid=$(cat "$work/dockerd.pid")
  [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = dockerd ] || return 0
  kill "$pid"
  for _ in $(seq 150); do
    [ -e "/proc/$pid" ] || return 0
    sleep 0.2
  done
  say "dockerd ($pid) is still there"
  return 1
}

case ${1:-} in
start) start ;;
stop) stop ;;
*)
  echo "usage: $0 start|stop" >&2
  exit 2
  ;;
esac
