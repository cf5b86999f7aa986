// Relationships whose ids are new. Returns how many had both ends.
// $user_id the scope  $rows source_id, target_id, props, times as [seconds, nanoseconds]
UNWIND $rows AS row
MATCH (a:Memory {user_id: $user_id, id: row.source_id})
CALL (row) { MATCH (b:Memory {user_id: $user_id, id: row.target_id}) RETURN b }
CREATE (a)-[r:/*types*/SUPPORTS]->(b)
SET r = row.props
FOREACH (name IN keys(row.times) | SET r[name] = datetime({epochSeconds: row.times[name][0], nanosecond: row.times[name][1]}))
RETURN count(r)
