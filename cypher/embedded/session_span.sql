-- The episodes of a session around a span of time: side -1 the one before, 0 those within in order, 1 the one after.
-- :user_id the scope  :session_id the session  :first :last the span in microseconds, both ends within
SELECT side, id FROM (
  SELECT -1 AS side, b.id, b.said_at, b.turn FROM (
    SELECT m.id, m.said_at, m.turn FROM memories AS m
    WHERE m.user_id = :user_id AND m.session_id = :session_id AND m.type = 'Episode' AND m.said_at < :first
    ORDER BY m.said_at DESC, m.turn DESC, m.id DESC LIMIT 1) AS b
  UNION ALL
  SELECT 0, m.id, m.said_at, m.turn FROM memories AS m
  WHERE m.user_id = :user_id AND m.session_id = :session_id AND m.type = 'Episode' AND m.said_at BETWEEN :first AND :last
  UNION ALL
  SELECT 1, a.id, a.said_at, a.turn FROM (
    SELECT m.id, m.said_at, m.turn FROM memories AS m
    WHERE m.user_id = :user_id AND m.session_id = :session_id AND m.type = 'Episode' AND m.said_at > :last
    ORDER BY m.said_at, m.turn, m.id LIMIT 1) AS a)
ORDER BY side, said_at, turn, id;
