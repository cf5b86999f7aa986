-- The distinct speakers of the scope's episodes, each found by one step in the index.
-- :user_id the scope
WITH RECURSIVE known (speaker) AS (
  SELECT min(m.speaker) FROM memories AS m WHERE m.user_id = :user_id AND m.type = 'Episode' AND m.speaker IS NOT NULL
  UNION ALL
  SELECT (SELECT min(m.speaker) FROM memories AS m
    WHERE m.user_id = :user_id AND m.type = 'Episode' AND m.speaker IS NOT NULL AND m.speaker > known.speaker)
  FROM known WHERE known.speaker IS NOT NULL
)
SELECT speaker FROM known WHERE speaker IS NOT NULL;
