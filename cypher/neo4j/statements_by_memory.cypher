// Every statement about these memories.
// $user_id the scope  $ids memory ids
MATCH (s:Statement) WHERE s.user_id = $user_id AND s.memory_id IN $ids
RETURN s.packed AS packed, s.episode_id AS episode_id, s.retracted_at AS retracted ORDER BY s.recorded_at, s.id
