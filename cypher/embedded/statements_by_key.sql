-- Every statement under these claim keys.
-- :user_id the scope  :keys JSON list
SELECT /*columns*/ s.* FROM statements AS s
WHERE s.user_id = :user_id AND s.key IN (SELECT value FROM json_each(:keys)) ORDER BY s.recorded_at, s.id;
