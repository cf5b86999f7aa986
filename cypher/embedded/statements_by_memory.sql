-- Every statement behind these memories.
-- :user_id the scope  :ids JSON list of memory ids
SELECT /*columns*/ s.* FROM statements AS s
WHERE s.user_id = :user_id AND s.memory_id IN (SELECT value FROM json_each(:ids)) ORDER BY s.recorded_at, s.id;
