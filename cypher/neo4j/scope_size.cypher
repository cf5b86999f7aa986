// How many memories the scope has.
// $user_id the scope
MATCH (m:Memory {user_id: $user_id}) RETURN count(m)
