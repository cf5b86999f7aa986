// Every statement under claim keys.
// $user_id the scope  $keys the keys
MATCH (s:Statement) WHERE s.user_id = $user_id AND s.key IN $keys
RETURN s.packed AS packed, s.episode_id AS episode_id, s.retracted_at AS retracted ORDER BY s.recorded_at, s.id
