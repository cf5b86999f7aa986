// Ties entities to those into which they were merged.
// $user_id the scope  $ids entity ids
MATCH (e:Entity) WHERE e.user_id = $user_id AND e.id IN $ids AND e.merged_into IS NOT NULL
MATCH (t:Entity {user_id: $user_id, id: e.merged_into})
MERGE (e)-[:MERGED_INTO]->(t)
