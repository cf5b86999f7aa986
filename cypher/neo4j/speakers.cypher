// Who speaks in the scope.
// $user_id the scope
MATCH (s:Scope {user_id: $user_id}) RETURN coalesce(s.speakers, [])
