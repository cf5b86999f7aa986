// Deletes some of what a scope has; returns how many nodes.
// $user_id the scope  $limit how many of each kind
CALL () {
  MATCH (n:Belief {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Statement {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Passage) WHERE n.user_id = $user_id AND n.memory_id IS NOT NULL RETURN n LIMIT $limit
  UNION ALL MATCH (n:TokenVectors) WHERE n.user_id = $user_id AND n.memory_id IS NOT NULL RETURN n LIMIT $limit
  UNION ALL MATCH (n:WorkingMemory {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Note {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:AwaitedRelationship) WHERE n.user_id = $user_id AND n.source_id IS NOT NULL RETURN n LIMIT $limit
  UNION ALL MATCH (n:Memory {user_id: $user_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Entity {user_id: $user_id}) RETURN n LIMIT $limit
}
DETACH DELETE n
RETURN count(n)
