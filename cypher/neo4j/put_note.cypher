// Keeps a small value for the scope.
// $user_id the scope  $name its name  $value JSON
MERGE (n:Note {user_id: $user_id, name: $name}) SET n.value = $value
