// Which memories are nearest in meaning to one, and what hangs on them? (Neo4j 2026.01 and newer)
// :param user_id => 'default'
// :param name => 'a part of its text'
CYPHER 25
MATCH (memory:Memory {user_id: $user_id})
WHERE memory.text CONTAINS $name AND memory.embedding IS NOT NULL
WITH memory ORDER BY memory.moment DESC LIMIT 1
MATCH (near:Memory|Passage)
SEARCH near IN (VECTOR INDEX memory_vectors FOR memory.embedding WHERE near.user_id = $user_id LIMIT 8) SCORE AS likeness
OPTIONAL MATCH chain = (near)-[:SUBTASK_OF|PART_OF|SUPERSEDES|CONTRADICTS|SUPPORTS|DERIVED_FROM]-(:Memory)
RETURN memory, near, chain
