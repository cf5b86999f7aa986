-- Every memory, in any state, under these claim keys.
-- :user_id the scope  :keys JSON list
SELECT /*columns*/ m.* FROM memories AS m
WHERE m.user_id = :user_id AND m.key IS NOT NULL AND m.key IN (SELECT value FROM json_each(:keys)) ORDER BY m.row;
