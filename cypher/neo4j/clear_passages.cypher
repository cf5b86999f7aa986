// Takes from memories what searches find them by.
// $user_id the scope  $ids memory ids
UNWIND $ids AS id
MATCH (m:Memory {user_id: $user_id, id: id}) WHERE m.search_text IS NOT NULL
REMOVE m.search_text, m.scope, m.embedding
WITH m, id
OPTIONAL MATCH (m)-[:HAS_PASSAGE]->(p:Passage)
DETACH DELETE p
WITH DISTINCT id
MATCH (t:TokenVectors {user_id: $user_id, memory_id: id})
DELETE t
