// How many nodes, index entries and relationships still speak of a scope.
// $user_id the scope  $query its token as a word query
CALL () { MATCH (n:Memory {user_id: $user_id}) RETURN count(n) AS total
UNION ALL MATCH (n:Entity {user_id: $user_id}) RETURN count(n) AS total
UNION ALL MATCH (n:Belief {user_id: $user_id}) RETURN count(n) AS total
UNION ALL MATCH (n:Statement {user_id: $user_id}) RETURN count(n) AS total
UNION ALL MATCH (n:Passage) WHERE n.user_id = $user_id AND n.memory_id IS NOT NULL RETURN count(n) AS total
UNION ALL MATCH (n:TokenVectors) WHERE n.user_id = $user_id AND n.memory_id IS NOT NULL RETURN count(n) AS total
UNION ALL MATCH (n:WorkingMemory {user_id: $user_id}) RETURN count(n) AS total
UNION ALL MATCH (n:Note {user_id: $user_id}) RETURN count(n) AS total
UNION ALL MATCH (n:AwaitedRelationship) WHERE n.user_id = $user_id AND n.source_id IS NOT NULL RETURN count(n) AS total
UNION ALL MATCH (n:Scope {user_id: $user_id}) RETURN count(n) AS total
UNION ALL CALL db.index.fulltext.queryNodes('memory_words', $query, {limit: 1}) YIELD node RETURN count(node) AS total }
RETURN sum(total)
