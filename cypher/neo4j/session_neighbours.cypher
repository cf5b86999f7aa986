// The episodes before and after these in their session, nearest first.
// $user_id the scope  $ids episode ids  $before $after how many of each
UNWIND $ids AS wanted
MATCH (e:Memory {user_id: $user_id, id: wanted})
CALL (e) {
  MATCH (c:Episode {user_id: $user_id, session_id: e.session_id}) WHERE c.said_at <= e.said_at
    AND (c.said_at < e.said_at OR coalesce(c.turn, 0) < coalesce(e.turn, 0) OR (coalesce(c.turn, 0) = coalesce(e.turn, 0) AND c.id < e.id))
  WITH c ORDER BY c.said_at DESC, coalesce(c.turn, 0) DESC, c.id DESC LIMIT $before
  RETURN collect(c.id) AS earlier
}
CALL (e) {
  MATCH (c:Episode {user_id: $user_id, session_id: e.session_id}) WHERE c.said_at >= e.said_at
    AND (c.said_at > e.said_at OR coalesce(c.turn, 0) > coalesce(e.turn, 0) OR (coalesce(c.turn, 0) = coalesce(e.turn, 0) AND c.id > e.id))
  WITH c ORDER BY c.said_at, coalesce(c.turn, 0), c.id LIMIT $after
  RETURN collect(c.id) AS later
}
RETURN e.id AS id, earlier, later
