-- Every belief about these memories, oldest recorded first.
-- :user_id the scope  :ids JSON list of memory ids
SELECT /*columns*/ b.* FROM beliefs AS b
WHERE b.user_id = :user_id AND b.memory_id IN (SELECT value FROM json_each(:ids)) ORDER BY b.recorded_at, b.memory_id;
