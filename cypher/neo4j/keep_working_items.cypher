// Writes what stays in mind after memories were erased.
// $user_id the scope  $session_id the session  $items packed JSON
MATCH (w:WorkingMemory {user_id: $user_id, session_id: $session_id}) SET w.items = $items
