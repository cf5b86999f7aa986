// Every session that holds something in mind.
// $user_id the scope
MATCH (w:WorkingMemory {user_id: $user_id}) RETURN w.session_id, w.items
