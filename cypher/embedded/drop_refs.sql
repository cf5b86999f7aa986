-- Takes a memory's entities away before they are written anew.
-- :user_id the scope  :id the memory
DELETE FROM memory_entities WHERE user_id = :user_id AND memory_id = :id;
