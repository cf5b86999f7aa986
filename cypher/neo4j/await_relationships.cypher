// Keeps relationships whose other end has not arrived yet (an import brings them in any order); returns how many.
// $user_id the scope  $rows id, type, source_id, target_id, recorded_at, packed, superseded_at
UNWIND $rows AS row
WITH row WHERE NOT EXISTS { MATCH (:Memory {user_id: $user_id, id: row.source_id}) } OR NOT EXISTS { MATCH (:Memory {user_id: $user_id, id: row.target_id}) }
MERGE (w:AwaitedRelationship {user_id: $user_id, id: row.id, recorded_at: row.recorded_at})
SET w += row {.type, .source_id, .target_id, .packed, .superseded_at}
WITH count(w) AS kept
MATCH (s:Scope {user_id: $user_id}) SET s.awaited = coalesce(s.awaited, 0) + kept
RETURN kept
