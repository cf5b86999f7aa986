// Writes the vectors of further passages.
// $user_id the scope  $rows id, number, vector
UNWIND $rows AS row
MATCH (p:Passage {user_id: $user_id, memory_id: row.id, number: row.number})
CALL db.create.setNodeVectorProperty(p, 'embedding', row.vector)
RETURN count(p)
