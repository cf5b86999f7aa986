-- The episodes right after these in their session, nearest first.
-- :user_id the scope  :ids JSON list of episode ids  :limit rows for each
SELECT e.id, n.id
FROM json_each(:ids) AS wanted
CROSS JOIN memories AS e ON e.user_id = :user_id AND e.id = wanted.value AND e.session_id IS NOT NULL AND e.said_at IS NOT NULL
CROSS JOIN memories AS n ON n.row IN (
  SELECT c.row FROM memories AS c
  WHERE c.user_id = :user_id AND c.session_id = e.session_id AND c.type = 'Episode'
    AND (c.said_at, c.turn, c.id) > (e.said_at, e.turn, e.id)
  ORDER BY c.said_at, c.turn, c.id LIMIT :limit)
ORDER BY wanted.key, n.said_at, n.turn, n.id;
