// All passages of these memories.
// $user_id the scope  $ids memory ids  $vectors $tokens whether these come along
UNWIND $ids AS wanted
MATCH (m:Memory {user_id: $user_id, id: wanted})
CALL (m) {
  WITH m WHERE m.search_text IS NOT NULL
  RETURN 0 AS number, m.search_text AS search_text, CASE WHEN $vectors THEN m.embedding END AS vector
  UNION ALL
  MATCH (m)-[:HAS_PASSAGE]->(p:Passage)
  RETURN p.number AS number, p.search_text AS search_text, CASE WHEN $vectors THEN p.embedding END AS vector
}
CALL (m, number) {
  OPTIONAL MATCH (t:TokenVectors {user_id: $user_id, memory_id: m.id, number: number}) WHERE $tokens RETURN t.tokens AS tokens
}
RETURN m.id AS id, number, search_text, vector, tokens ORDER BY id, number
