// The scope's revision.
// $user_id the scope
MATCH (s:Scope {user_id: $user_id}) RETURN s.revision
