-- Deletes the names of entities.
-- :user_id the scope  :ids JSON list of entity ids
DELETE FROM entity_names WHERE user_id = :user_id AND entity_id IN (SELECT value FROM json_each(:ids));
