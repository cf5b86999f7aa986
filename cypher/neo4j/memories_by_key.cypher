// Every memory under claim keys.
// $user_id the scope  $keys the keys
MATCH (m:Memory) WHERE m.user_id = $user_id AND m.key IN $keys
RETURN /*columns*/ m.id ORDER BY m.id
