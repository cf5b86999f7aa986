// Every belief about these memories, oldest recorded first.
// $user_id the scope  $ids memory ids
MATCH (b:Belief) WHERE b.user_id = $user_id AND b.memory_id IN $ids
RETURN b.packed AS packed, b.text AS text, b.superseded_at AS closed ORDER BY b.recorded_at, b.memory_id
