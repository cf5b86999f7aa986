// The unretracted statements under claim keys.
// $user_id the scope  $keys the keys
MATCH (s:Statement) WHERE s.user_id = $user_id AND s.key IN $keys AND s.retracted_at IS NULL RETURN s.key, s.id
