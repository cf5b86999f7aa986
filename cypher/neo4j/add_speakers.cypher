// Remembers on the scope who speaks in it.
// $user_id the scope  $names speakers of new episodes
MATCH (s:Scope {user_id: $user_id})
SET s.speakers = coalesce(s.speakers, []) + [name IN $names WHERE NOT name IN coalesce(s.speakers, [])]
