// Pins a memory or lets it go; returns how many there were.
// $user_id the scope  $id the memory  $pinned which
MATCH (m:Memory {user_id: $user_id, id: $id}) SET m.pinned = $pinned RETURN count(m)
