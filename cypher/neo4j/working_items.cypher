// What the session holds in mind, as packed JSON.
// $user_id the scope  $session_id the session
MATCH (w:WorkingMemory {user_id: $user_id, session_id: $session_id}) RETURN w.items
