// Reads anew who speaks in the scope, after episodes were erased.
// $user_id the scope
MATCH (s:Scope {user_id: $user_id})
CALL (s) { OPTIONAL MATCH (e:Memory {user_id: $user_id, type: 'Episode'}) RETURN collect(DISTINCT e.speaker) AS names }
SET s.speakers = names
