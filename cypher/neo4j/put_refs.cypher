// Ties memories to the entities they name; one that is not known yet stands without a kind.
// $user_id the scope  $rows memory_id, id, name, type
UNWIND $rows AS row
MATCH (m:Memory {user_id: $user_id, id: row.memory_id})
MERGE (e:Entity {user_id: $user_id, id: row.id}) ON CREATE SET e.name = row.name
MERGE (m)-[:$(row.type)]->(e)
RETURN count(*)
