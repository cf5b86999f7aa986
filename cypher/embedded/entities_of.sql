-- Entities that these memories name.
-- :user_id the scope  :ids JSON list of memory ids
SELECT DISTINCT entity_id FROM memory_entities WHERE user_id = :user_id AND memory_id IN (SELECT value FROM json_each(:ids));
