// How many nodes and relationships still speak of these memories.
// $user_id the scope  $ids memory ids
CALL () { MATCH (m:Memory) WHERE m.user_id = $user_id AND m.id IN $ids RETURN count(m) AS total
UNION ALL MATCH (m:Memory) WHERE m.user_id = $user_id AND m.id IN $ids MATCH (m)-[r]-() RETURN count(r) AS total
UNION ALL MATCH (n:Belief) WHERE n.user_id = $user_id AND n.memory_id IN $ids RETURN count(n) AS total
UNION ALL MATCH (n:Statement) WHERE n.user_id = $user_id AND n.memory_id IN $ids RETURN count(n) AS total
UNION ALL MATCH (n:Statement) WHERE n.user_id = $user_id AND n.episode_id IN $ids RETURN count(n) AS total
UNION ALL MATCH (n:Passage) WHERE n.user_id = $user_id AND n.memory_id IN $ids RETURN count(n) AS total
UNION ALL MATCH (n:TokenVectors) WHERE n.user_id = $user_id AND n.memory_id IN $ids RETURN count(n) AS total
UNION ALL MATCH (n:AwaitedRelationship) WHERE n.user_id = $user_id AND n.source_id IN $ids RETURN count(n) AS total
UNION ALL MATCH (n:AwaitedRelationship) WHERE n.user_id = $user_id AND n.target_id IN $ids RETURN count(n) AS total }
RETURN sum(total)
