// Which of these memories are there already.
// $user_id the scope  $ids memory ids
MATCH (m:Memory) WHERE m.user_id = $user_id AND m.id IN $ids RETURN m.id
