"""A real Neo4j Community server on this machine, for trying graphmem and for its tests: `start`, `stop`, `status`.

From a Docker engine where one answers, otherwise from Maven's jars and a Java that is already installed. Nothing here is
needed to use a server that somebody else runs.
"""

from graphmem.local_server.server import NEWEST, LocalServer, start, status, stop

__all__ = ["NEWEST", "LocalServer", "start", "status", "stop"]
