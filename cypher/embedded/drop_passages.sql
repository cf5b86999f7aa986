-- Takes a memory's passages out of both indexes.
-- :user_id the scope  :id the memory
DELETE FROM passages WHERE user_id = :user_id AND memory_id = :id;
