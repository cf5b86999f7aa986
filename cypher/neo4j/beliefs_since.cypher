// Beliefs recorded or closed since a moment, oldest change first.
// $user_id the scope  $since the moment  $open the far end  $limit rows
CALL () {
  MATCH (b:Belief {user_id: $user_id}) WHERE b.recorded_at >= $since RETURN b, b.recorded_at AS changed
  UNION ALL
  MATCH (b:Belief {user_id: $user_id}) WHERE b.superseded_at >= $since AND b.superseded_at < $open AND b.recorded_at < $since
  RETURN b, b.superseded_at AS changed
}
WITH b, changed ORDER BY changed, b.recorded_at, b.memory_id LIMIT $limit
RETURN b.packed AS packed, b.text AS text, b.superseded_at AS closed ORDER BY changed, b.recorded_at, b.memory_id
