// The passages that a word query finds in the scope, best first, with whether a condition shows their memory.
// $user_id the scope  $query Lucene syntax  $fetch rows
CALL db.index.fulltext.queryNodes('memory_words', $query, {limit: $fetch}) YIELD node AS n, score
WHERE n.user_id = $user_id
OPTIONAL MATCH (owner:Memory {user_id: $user_id, id: n.memory_id})
WITH coalesce(owner, n) AS m, score
/*belief*/
RETURN m.id AS id, score, (/*where*/ true) AS shown ORDER BY score DESC, id
