// These memories as far as a condition shows them.
// $user_id the scope  $ids memory ids
UNWIND $ids AS wanted
MATCH (m:Memory {user_id: $user_id, id: wanted})
/*belief*/
WHERE /*where*/ true
RETURN /*columns*/ m.id, m.id AS id
