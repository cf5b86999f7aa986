"""The stores: `graphmem.stores.embedded` (SQLite) and `graphmem.stores.neo4j`."""
