// How many memories of each type a condition shows.
// $user_id the scope
MATCH (m:Memory {user_id: $user_id})
/*belief*/
WHERE /*where*/ true
RETURN m.type, count(*)
