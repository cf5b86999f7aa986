// Keeps packed token vectors, tied to nothing: pictures of the graph stay readable.
// $user_id the scope  $rows id, number, tokens
UNWIND $rows AS row
MERGE (t:TokenVectors {user_id: $user_id, memory_id: row.id, number: row.number}) SET t.tokens = row.tokens
RETURN count(t)
