#!/bin/bash
# Writes neo4j.conf from the NEO4J_ variables as the official image does, and runs the server as process 1.
set -euo pipefail

export NEO4J_HOME=/var/lib/neo4j NEO4J_CONF=/var/lib/neo4j/conf CLASSPATH='/opt/neo4j/lib/*'
mkdir -p "$NEO4J_CONF"
{
  echo server.default_listen_address=0.0.0.0
  echo server.directories.data=/data
  echo server.directories.logs=/logs
  echo server.memory.pagecache.size=128m
  echo db.tx_log.preallocate=false
  echo dbms.usage_report.enabled=false
  if [ "${NEO4J_AUTH:-}" = none ]; then echo dbms.security.auth_enabled=false; fi
  # NEO4J_server_memory_heap_max__size is server.memory.heap.max_size
  while IFS='=' read -r name value; do
    setting=${name#NEO4J_}
    case $setting in [a-z]*_*) echo "$(sed -e 's/__/\a/g' -e 's/_/./g' -e 's/\a/_/g' <<<"$setting")=$value" ;; esac
  done < <(env | grep '^NEO4J_[a-z]' || true)
} >"$NEO4J_CONF/neo4j.conf"

java=/opt/jdk/bin/java
if [[ ${NEO4J_AUTH:-none} == neo4j/* && ! -e /data/databases/system ]]; then
  "$java" org.neo4j.server.startup.Neo4jAdminCommand dbms set-initial-password "${NEO4J_AUTH#neo4j/}"
fi

touch /logs/neo4j.log
tail -n 0 -F /logs/neo4j.log &
opens=(--add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED)
exec "$java" -Xmx"${NEO4J_server_memory_heap_max__size:-512m}" -XX:+UseSerialGC "${opens[@]}" --add-modules=jdk.incubator.vector \
  org.neo4j.server.Neo4jCommunity --home-dir="$NEO4J_HOME" --config-dir="$NEO4J_CONF"
