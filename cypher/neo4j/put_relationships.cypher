// Relationships from a moment on; one of the same id and moment is replaced. Returns how many had both ends.
// $user_id the scope  $rows id, type, source_id, target_id, recorded_at, props
UNWIND $rows AS row
MATCH (a:Memory {user_id: $user_id, id: row.source_id})
CALL (row) { MATCH (b:Memory {user_id: $user_id, id: row.target_id}) RETURN b }
MERGE (a)-[r:/*types*/SUPPORTS {user_id: $user_id, id: row.id, recorded_at: row.recorded_at}]->(b)
SET r = row.props, r.user_id = $user_id, r.id = row.id, r.recorded_at = row.recorded_at
RETURN count(r)
