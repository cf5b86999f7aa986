// Writes the vectors of first passages.
// $user_id the scope  $rows id, vector
UNWIND $rows AS row
MATCH (m:Memory {user_id: $user_id, id: row.id})
CALL db.create.setNodeVectorProperty(m, 'embedding', row.vector)
RETURN count(m)
