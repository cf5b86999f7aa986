// Writes the first passage of memories onto them; returns how many of the memories there were.
// $user_id the scope  $rows id, scope, search_text
UNWIND $rows AS row
MATCH (m:Memory {user_id: $user_id, id: row.id})
SET m.scope = row.scope, m.search_text = row.search_text
RETURN count(m)
