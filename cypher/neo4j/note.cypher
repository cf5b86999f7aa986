// A small value kept for the scope.
// $user_id the scope  $name its name
MATCH (n:Note {user_id: $user_id, name: $name}) RETURN n.value
