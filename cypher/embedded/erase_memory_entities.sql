-- Deletes what memory_entities holds of these memories.
-- :user_id the scope  :ids JSON list of memory ids
DELETE FROM memory_entities WHERE user_id = :user_id AND memory_id IN (SELECT value FROM json_each(:ids));
