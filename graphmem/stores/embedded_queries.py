"""The embedded store's queries, one field for each file in `cypher/embedded`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from graphmem.resources import load_queries, migrations


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedQueries:
    about_entities: str
    all_entities: str
    beliefs_by_memory: str
    beliefs_since: str
    best_words: str
    check_orphans: str
    check_scopes: str
    check_vectors: str
    check_words: str
    close_belief: str
    close_relationship: str
    count_memories: str
    drop_entity_names: str
    drop_note: str
    drop_passages: str
    drop_refs: str
    drop_token_vectors: str
    drop_working_items: str
    entities_by_id: str
    entities_by_name: str
    entities_of: str
    erase_beliefs: str
    erase_entities: str
    erase_entity_names: str
    erase_memories: str
    erase_memory_entities: str
    erase_passages: str
    erase_relationships: str
    erase_scope: str
    erase_statements: str
    erase_token_vectors: str
    erase_working_items: str
    forget_provenance: str
    last_passage: str
    mark_reindexed: str
    matching_rows: str
    memories_by_id: str
    memories_by_key: str
    meta: str
    next_revision: str
    note: str
    optimize_words: str
    entity_families: str
    passages_by_memory: str
    put_belief: str
    put_entity: str
    put_entity_name: str
    put_memory: str
    put_note: str
    put_passage: str
    put_ref: str
    put_relationship: str
    put_relationship_type: str
    put_statement: str
    put_token_vectors: str
    put_working_item: str
    refresh_relationship: str
    relationship_types: str
    relationships_around: str
    residue_of_memories: str
    residue_of_scope: str
    retract_statement: str
    scope_revision: str
    scopes: str
    select_memories: str
    session_after: str
    session_before: str
    session_span: str
    set_meta: str
    set_pinned: str
    set_revision: str
    slice_memories: str
    slice_passages: str
    speakers: str
    standing_relationships: str
    statements_by_key: str
    statements_by_memory: str
    totals: str
    totals_of_scope: str
    touch: str
    unretracted: str
    working_items: str


@lru_cache(maxsize=1)
def queries() -> EmbeddedQueries:
    return load_queries(EmbeddedQueries, "cypher", "embedded", suffix=".sql")


@lru_cache(maxsize=1)
def schema_scripts() -> tuple[tuple[int, str], ...]:
    return tuple(migrations("cypher", "embedded", "migrations", suffix=".sql"))
