// The nearest to a vector by comparing every passage that a condition shows.
// $user_id the scope  $vector what is near  $dimensions its length  $limit rows
MATCH (m:Memory {user_id: $user_id})
/*belief*/
WHERE /*where*/ true
OPTIONAL MATCH (m)-[:HAS_PASSAGE]->(p:Passage)
WITH m, collect(p.embedding) + coalesce([m.embedding], []) AS every
UNWIND every AS embedding
WITH m, embedding WHERE size(embedding) = $dimensions
WITH m.id AS id, max(vector.similarity.cosine(embedding, $vector)) AS near
RETURN id, 2 * near - 1 AS score ORDER BY score DESC, id LIMIT $limit
