// What hangs on nothing, over every scope (nobody's text is read): (kind, count); user_id joins every pair.
CALL () { MATCH (n:Passage) WHERE NOT EXISTS { (n)<-[:HAS_PASSAGE]-(:Memory) } RETURN 'passages without memory' AS kind, count(n) AS total
UNION ALL MATCH (n:Belief) WHERE NOT EXISTS { (n)<-[:HELD]-(:Memory) } RETURN 'beliefs without memory' AS kind, count(n) AS total
UNION ALL MATCH (n:AwaitedRelationship) RETURN 'relationships without an end' AS kind, count(n) AS total
UNION ALL MATCH (n:Entity) WHERE n.kind IS NULL RETURN 'entities named by memories but absent' AS kind, count(n) AS total
UNION ALL MATCH (n:TokenVectors) WHERE NOT EXISTS { MATCH (:Memory {user_id: n.user_id, id: n.memory_id}) } RETURN 'token vectors without memory' AS kind, count(n) AS total }
RETURN kind, total
