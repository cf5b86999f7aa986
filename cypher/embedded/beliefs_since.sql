-- Beliefs recorded or closed since a moment, oldest change first.
-- :user_id the scope  :since the moment  :limit rows
SELECT /*columns*/ b.* FROM beliefs AS b
WHERE b.user_id = :user_id
  AND (b.recorded_at >= :since OR (b.superseded_at < 4611686018427387904 AND b.superseded_at >= :since))
ORDER BY CASE WHEN b.recorded_at >= :since THEN b.recorded_at ELSE b.superseded_at END, b.recorded_at, b.memory_id LIMIT :limit;
