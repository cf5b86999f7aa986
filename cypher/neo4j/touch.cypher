// Counts one access of each memory.
// $user_id the scope  $ids memory ids  $at when
UNWIND $ids AS id
MATCH (m:Memory {user_id: $user_id, id: id})
SET m.access_count = coalesce(m.access_count, 0) + 1,
    m.last_accessed_at = CASE WHEN m.last_accessed_at > $at THEN m.last_accessed_at ELSE $at END
