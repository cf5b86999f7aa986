-- Deletes what memories holds of these memories.
-- :user_id the scope  :ids JSON list of memory ids
DELETE FROM memories WHERE user_id = :user_id AND id IN (SELECT value FROM json_each(:ids));
