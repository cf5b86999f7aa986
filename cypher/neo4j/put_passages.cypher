// Hangs further passages of long texts on their memories; returns how many of the memories there were.
// $user_id the scope  $rows id, number, scope, search_text
UNWIND $rows AS row
MATCH (m:Memory {user_id: $user_id, id: row.id})
MERGE (p:Passage {user_id: $user_id, memory_id: row.id, number: row.number})
SET p += m {.state, .valid_from, .valid_to, .type, .session_id, .task_id, .agent_id, .source}
SET p.scope = row.scope, p.search_text = row.search_text
MERGE (m)-[:HAS_PASSAGE]->(p)
RETURN count(p)
