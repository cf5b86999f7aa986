// Replaces what the session holds in mind.
// $user_id the scope  $session_id the session  $items packed JSON  $rows id, value, pinned, observed_at, position  $name a caption
MERGE (w:WorkingMemory {user_id: $user_id, session_id: $session_id}) SET w.items = $items, w.name = $name
WITH w
CALL (w) { MATCH (w)-[r:HOLDS]->() DELETE r }
WITH w
UNWIND $rows AS row
MATCH (m:Memory {user_id: $user_id, id: row.id})
MERGE (w)-[r:HOLDS {position: row.position}]->(m) SET r.value = row.value, r.pinned = row.pinned, r.observed_at = row.observed_at
