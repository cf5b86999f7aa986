// Reads anew who speaks in the scope, after episodes were erased.
// $user_id the scope
MATCH (s:Scope {user_id: $user_id})
CALL (s) { OPTIONAL MATCH (e:Episode {user_id: $user_id}) WHERE e.session_id IS NOT NULL OR e.speaker IS NOT NULL RETURN collect(DISTINCT e.speaker) AS names }
SET s.speakers = names
