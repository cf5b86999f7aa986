// Closes statements that are open.
// $user_id the scope  $rows id, at
UNWIND $rows AS row
MATCH (s:Statement {user_id: $user_id, id: row.id}) WHERE s.retracted_at IS NULL
SET s.retracted_at = row.at
