-- Deletes what working_items holds of these memories.
-- :user_id the scope  :ids JSON list of memory ids
DELETE FROM working_items WHERE user_id = :user_id AND memory_id IN (SELECT value FROM json_each(:ids));
