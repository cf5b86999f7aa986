"""The Neo4j store's queries, one field for each file in `cypher/neo4j`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache

from graphmem.resources import load_queries, migrations


@dataclass(frozen=True, slots=True, kw_only=True)
class Neo4jQueries:
    about_entities: str
    add_speakers: str
    all_entities: str
    arrived_relationships: str
    await_relationships: str
    beliefs_by_memory: str
    beliefs_since: str
    best_words: str
    check_orphans: str
    check_scopes: str
    check_vectors: str
    clear_passages: str
    close_beliefs: str
    close_relationships: str
    count_memories: str
    create_memories: str
    create_plain_vector_index: str
    create_relationship_index: str
    create_relationships: str
    create_vector_index: str
    drop_note: str
    drop_refs: str
    entities_by_id: str
    entities_by_name: str
    entities_named: str
    entity_families: str
    erase_batch: str
    erase_entities: str
    erase_memories: str
    erase_scope: str
    indexes: str
    keep_working_items: str
    known_memories: str
    link_merged: str
    lock_scope: str
    memories_by_id: str
    memories_by_key: str
    meta: str
    nearest_by_scan: str
    nearest_in_index: str
    nearest_plain: str
    note: str
    passages_by_memory: str
    put_beliefs: str
    put_entities: str
    put_first_passages: str
    put_memories: str
    put_note: str
    put_passage_vectors: str
    put_passages: str
    put_refs: str
    put_relationships: str
    put_statements: str
    put_token_vectors: str
    put_vectors: str
    recount_speakers: str
    refresh_relationships: str
    relationship_types: str
    relationships_around: str
    relationships_of_hub: str
    residue_of_memories: str
    residue_of_scope: str
    retract_statements: str
    scope_revision: str
    scope_size: str
    select_memories: str
    session_neighbours: str
    session_spans: str
    set_meta: str
    set_pinned: str
    set_working_items: str
    speakers: str
    standing_relationships: str
    statements_by_key: str
    statements_by_memory: str
    totals: str
    totals_of_scope: str
    touch: str
    unretracted: str
    users: str
    working_items: str
    working_sessions: str


@lru_cache(maxsize=1)
def queries() -> Neo4jQueries:
    found = load_queries(Neo4jQueries, "cypher", "neo4j", suffix=".cypher")
    return Neo4jQueries(**{each.name: without_comments(getattr(found, each.name)) for each in fields(found)})


@lru_cache(maxsize=1)
def schema_scripts() -> tuple[tuple[int, tuple[str, ...]], ...]:
    """(version, statements) of each migration."""
    scripts = migrations("cypher", "neo4j", "migrations", suffix=".cypher")
    return tuple((number, tuple(part.strip() for part in without_comments(text).split(";\n") if part.strip())) for number, text in scripts)


def without_comments(query: str) -> str:
    """What is sent: the lines that are not comments, for a version prefix must come first."""
    return "\n".join(line for line in query.splitlines() if not line.startswith("//")) + "\n"
