// Records beliefs about memories; one of the same moment is replaced. Returns how many of the memories there were.
// $user_id the scope  $rows memory_id, recorded_at, props
UNWIND $rows AS row
MATCH (m:Memory {user_id: $user_id, id: row.memory_id})
MERGE (b:Belief {user_id: $user_id, memory_id: row.memory_id, recorded_at: row.recorded_at})
SET b = row.props
MERGE (m)-[:HELD]->(b)
RETURN count(b)
