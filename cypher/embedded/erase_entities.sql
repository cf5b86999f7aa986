-- Deletes entities.
-- :user_id the scope  :ids JSON list of entity ids
DELETE FROM entities WHERE user_id = :user_id AND id IN (SELECT value FROM json_each(:ids));
