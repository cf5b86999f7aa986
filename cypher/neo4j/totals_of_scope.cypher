// Counts by kind of one scope.
// $user_id the scope  $open the far end
CALL () { MATCH (n:Memory {user_id: $user_id}) RETURN 'memories' AS kind, count(n) AS total
UNION ALL MATCH (n:Entity {user_id: $user_id}) WHERE n.kind IS NOT NULL RETURN 'entities' AS kind, count(n) AS total
UNION ALL MATCH (:Memory {user_id: $user_id})-[r]->(:Memory) WHERE r.superseded_at = $open RETURN 'relationships' AS kind, count(r) AS total
UNION ALL MATCH (n:AwaitedRelationship) WHERE n.user_id = $user_id AND n.source_id IS NOT NULL AND n.superseded_at = $open RETURN 'relationships' AS kind, count(n) AS total
UNION ALL MATCH (n:Statement {user_id: $user_id}) RETURN 'statements' AS kind, count(n) AS total
UNION ALL MATCH (n:Belief {user_id: $user_id}) RETURN 'beliefs' AS kind, count(n) AS total
UNION ALL MATCH (n:Memory {user_id: $user_id}) WHERE n.search_text IS NOT NULL RETURN 'passages' AS kind, count(n) AS total
UNION ALL MATCH (n:Passage) WHERE n.user_id = $user_id AND n.memory_id IS NOT NULL RETURN 'passages' AS kind, count(n) AS total
UNION ALL MATCH (n:Scope {user_id: $user_id}) RETURN 'users' AS kind, count(n) AS total }
RETURN kind, sum(total)
