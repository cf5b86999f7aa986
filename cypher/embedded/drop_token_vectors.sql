-- Takes a memory's token vectors away.
-- :user_id the scope  :id the memory
DELETE FROM token_vectors WHERE user_id = :user_id AND memory_id = :id;
