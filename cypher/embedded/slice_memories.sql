-- What scans need of every memory of a scope that changed after a revision (all after 0).
-- :user_id the scope  :revision the revision known already
SELECT row, id, type, stored_state, valid_from, valid_to, reindexed FROM memories
WHERE user_id = :user_id AND revision > :revision ORDER BY row;
