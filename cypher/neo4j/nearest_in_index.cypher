// The passages nearest to a vector that the index shows under its own filter, with whether the rest of the condition shows their memory.
// $user_id the scope  $vector what is near  $fetch rows
CYPHER 25 MATCH (n:Memory|Passage)
SEARCH n IN (VECTOR INDEX memory_vectors FOR $vector WHERE n.user_id = $user_id AND /*in index*/ n.state IN $stored LIMIT $fetch) SCORE AS score
OPTIONAL MATCH (owner:Memory {user_id: $user_id, id: n.memory_id})
WITH coalesce(owner, n) AS m, score
RETURN m.id AS id, 2 * score - 1 AS score, (/*where*/ true) AS shown
