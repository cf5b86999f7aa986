// Closes the open beliefs of memories at the moment when the next ones are recorded.
// $user_id the scope  $rows memory_id, recorded_at
UNWIND $rows AS row
MATCH (b:Belief {user_id: $user_id, memory_id: row.memory_id})
WHERE b.superseded_at > row.recorded_at AND b.recorded_at < row.recorded_at
SET b.superseded_at = row.recorded_at
