-- Statements of memories that stay lose erased episodes as their source.
-- :user_id the scope  :ids JSON list of memory ids
UPDATE statements SET episode_id = NULL WHERE user_id = :user_id AND episode_id IN (SELECT value FROM json_each(:ids));
