"""Writes docs/graph-schema.md: what a person finds in the database, from the ontology and the schema's own statements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from graphmem.ontology import Ontology
from graphmem.ontology_types import RelationshipDef, SlotDef, SlotKind, TypeDef
from graphmem.stores.neo4j_queries import schema_scripts

_KINDS: Mapping[SlotKind, str] = {
    "text": "STRING",
    "enum": "STRING",
    "number": "FLOAT",
    "integer": "INTEGER",
    "quantity": "FLOAT, with `<name>_unit` STRING",
    "unit": "STRING",
    "date": "ZONED DATETIME",
    "interval": "ZONED DATETIME (its start), with `<name>_end`",
    "entity": "STRING (a name; the node hangs on SUBJECT, OBJECT or INVOLVES)",
    "entities": "LIST<STRING>",
    "list": "LIST<STRING>",
    "bool": "BOOLEAN",
    "relation": "STRING",
    "mapping": "by `<name>.texts`, `<name>.numbers`, `<name>.times`",
    "pattern": "by `<name>.texts`, `<name>.numbers`, `<name>.times`",
    "any": "STRING, FLOAT or ZONED DATETIME",
}

_MEMORY = (
    ("user_id", "STRING", "the scope: part of every key"),
    ("id", "STRING", "unique within the scope"),
    ("name", "STRING", "a short caption"),
    ("type", "STRING", "the ontology's type, also a label"),
    ("text", "STRING", "the memory as a sentence, a turn word for word"),
    ("summary", "STRING", "a shorter sentence, where there is one"),
    ("state", "STRING", "as stored: current, disputed, superseded, invalid, archived"),
    ("valid_from, valid_to", "ZONED DATETIME", "when it holds; open ends are year 1 and year 9999"),
    ("precision", "STRING", "in which the time was stated"),
    ("recorded_at, superseded_at", "ZONED DATETIME", "when the store believed it"),
    ("moment", "ZONED DATETIME", "by what newest is ordered: said, else valid, else recorded"),
    ("source", "STRING", "user, assistant, tool, external, inferred"),
    ("confidence, importance, strength", "FLOAT", "0 to 1"),
    ("session_id, task_id, agent_id", "STRING", "the dimensions inside the scope"),
    ("keywords", "LIST<STRING>", ""),
    ("location, reason, purpose", "STRING", ""),
    ("access_count, reinforcements", "INTEGER", ""),
    ("last_accessed_at", "ZONED DATETIME", ""),
    ("pinned", "BOOLEAN", ""),
    ("key, claim_value", "STRING", "what it claims: same key, same matter; same value, same claim"),
    ("metadata", "STRING", "JSON; each entry also stands under `metadata.<key>`"),
    ("entity_ids, entity_names", "LIST<STRING>", "the entities it names, folded"),
    ("embedding", "LIST<FLOAT>", "the vector of its (first) passage"),
    ("scope, search_text", "STRING", "what the full-text index reads"),
    ("packed, refs", "STRING", "exact JSON that graphmem reads back; changing other properties by hand does not change a memory"),
)

_NODES = (
    ("Entity", "`user_id`, `id`, `name`, `kind` (also a label), `aliases`, `merged_into`, `folded`, `name_key`", "a person, place or thing"),
    ("Belief", "`user_id`, `memory_id`, `text`, `state`, `valid_from`, `valid_to`, `recorded_at`, `superseded_at`, slots", "what was held of a memory over a span"),
    ("Statement", "`user_id`, `id`, `key`, `value`, `memory_id`, `act`, `source`, `confidence`, `policy`, `recorded_at`, `retracted_at`", "one saying of a claim; never changed"),
    ("Passage", "`user_id`, `memory_id`, `number`, `search_text`, `embedding`", "a further piece (1, 2, …) of a long text"),
    ("TokenVectors", "`user_id`, `memory_id`, `number`, `tokens`", "packed vectors of a passage's tokens; tied to nothing"),
    ("WorkingMemory", "`user_id`, `session_id`, `items`", "what a session holds in mind"),
    ("Scope", "`user_id`, `revision`, `speakers`", "one user; every write takes its lock"),
    ("Note", "`user_id`, `name`, `value`", "a small value that a job keeps"),
    ("AwaitedRelationship", "`user_id`, `id`, `type`, `source_id`, `target_id`", "one whose other end an import has not brought yet"),
    ("GraphMem", "`schema`, `ontology`, `embedding`, `dimensions`", "what the database says of itself"),
)  # fmt: skip

_STRUCTURE = (
    ("SUBJECT, OBJECT, INVOLVES, MENTIONS", "Memory → Entity", "whom and what it speaks of"),
    ("HELD", "Memory → Belief", "its beliefs, past and present"),
    ("STATED", "Memory → Statement", "who said it"),
    ("SAID_IN", "Statement → Episode", "in which turn"),
    ("HAS_PASSAGE", "Memory → Passage", "further pieces of a long text"),
    ("HOLDS", "WorkingMemory → Memory", "`position`, `value`, `pinned`, `observed_at`"),
    ("MERGED_INTO", "Entity → Entity", "two names of one"),
)

_HEAD = """# The graph in Neo4j

This page is made from the ontology and the database's schema; a test holds it to a live server.

A memory is a node with the label `Memory` and that of its type, such as `(:Memory:Goal)`. Everything belongs to one `user_id`, and no
relationship leads from one user's nodes to another's. Properties are for people and their queries; graphmem reads `packed` back.

## Your own Cypher

`memory.cypher(query, **parameters)` reads this scope's part of the graph. It takes no writes, procedures or files, and every pattern must start
from nodes that are bound by `{user_id: $user_id}`; `$user_id` is given by the memory. Whether a query keeps to that is read off the server's
plan for it before it runs, and a query that would start elsewhere is refused. COLLECT, COUNT and EXISTS inside expressions are refused as well:
write them as a MATCH or CALL of their own. At most 10,000 rows come back, nodes and relationships as mappings.

<!-- skip: next "needs a server" -->
```python
rows = memory.cypher(
    "MATCH (goal:Memory:Goal {user_id: $user_id}) WHERE goal.status = $status RETURN goal.text AS text, goal.deadline AS deadline",
    status="pending",
)
```

With the driver or in Neo4j Browser nothing guards you: bind `user_id` yourself, and do not write to these nodes.
"""


_TAIL = """Each relationship type between memories has an index `relationship_<type>` on `(user_id, id)`. `memory_vectors` is made when the
embedding model is known; on 2026.01 and newer it filters by `user_id`, `state`, `valid_from`, `valid_to`, `type`, `session_id`, `task_id`,
`agent_id` and `source` inside the index.
"""


def graph_schema(ontology: Ontology) -> str:
    """The whole page."""
    parts = [
        _HEAD,
        "## Memories\n",
        "Every memory has:\n",
        _table(("property", "type", "meaning"), ((f"`{name}`".replace(", ", "`, `"), kind, about) for name, kind, about in _MEMORY)),
        "A slot stands under its own name beside these; one that would take the name of a property above stands under `slot.<name>`.\n",
        *(_type(each) for _, each in sorted(ontology.types.items())),
        "## Other nodes\n",
        _table(("label", "properties", "meaning"), ((f"`{label}`", properties, about) for label, properties, about in _NODES)),
        "## Relationships between memories\n",
        "Each carries `id`, `user_id`, `recorded_at` and `superseded_at` (year 9999 while it stands), and its own properties.\n",
        _table(
            ("relationship", "from → to", ""),
            (_relationship(each) for _, each in sorted(ontology.relationships.items()) if not each.entity),
        ),
        "## Other relationships\n",
        _table(
            ("relationship", "from → to", "meaning"), ((f"`{name}`".replace(", ", "`, `"), ends, about) for name, ends, about in _STRUCTURE)
        ),
        "## Indexes and constraints\n",
        _table(("name", "what"), _rules()),
        _TAIL,
    ]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _type(each: TypeDef) -> str:
    rows = [_slot(slot) for _, slot in each.slots.items()]
    table = _table(("slot", "type", "values"), rows) if rows else "No slots."
    return f"### {each.name}\n\n{each.about.strip() or 'A type of memory.'}\n\n{table}\n"


def _slot(slot: SlotDef) -> tuple[str, str, str]:
    star = " (required)" if slot.required else ""
    return f"`{slot.name}`{star}", _KINDS[slot.kind].replace("<name>", slot.name), ", ".join(slot.values)


def _relationship(each: RelationshipDef) -> tuple[str, str, str]:
    ends = "; ".join(f"{first} → {second}" for first, second in each.pairs)
    marks = [word for word, there in (("acyclic", each.acyclic), ("symmetric", each.symmetric), ("same type", each.same_type)) if there]
    return f"`{each.name}`", ends, ", ".join(marks)


def _rules() -> list[tuple[str, str]]:
    found = []
    for _, statements in schema_scripts():
        for statement in statements:
            name = re.search(r"(?:CONSTRAINT|INDEX) (\w+) IF NOT EXISTS FOR (.+?)(?: OPTIONS .*)?$", statement, re.DOTALL)
            if name is not None:
                found.append((f"`{name[1]}`", f"`{' '.join(name[2].split())}`"))
    return found
