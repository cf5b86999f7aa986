// The episodes of sessions around spans of time: side -1 the one before, 0 those within in order, 1 the one after.
// $user_id the scope  $rows session_id, first, last (both ends within)
UNWIND $rows AS row
CALL (row) {
  MATCH (m:Episode {user_id: $user_id, session_id: row.session_id}) WHERE m.said_at < row.first
  RETURN -1 AS side, m ORDER BY m.said_at DESC, coalesce(m.turn, 0) DESC, m.id DESC LIMIT 1
  UNION ALL
  MATCH (m:Episode {user_id: $user_id, session_id: row.session_id}) WHERE row.first <= m.said_at <= row.last
  RETURN 0 AS side, m
  UNION ALL
  MATCH (m:Episode {user_id: $user_id, session_id: row.session_id}) WHERE m.said_at > row.last
  RETURN 1 AS side, m ORDER BY m.said_at, coalesce(m.turn, 0), m.id LIMIT 1
}
RETURN row.session_id AS session_id, side, /*columns*/ m.id ORDER BY side, m.said_at, coalesce(m.turn, 0), m.id
