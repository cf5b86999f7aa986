-- Every passage of a scope written after a revision, with its vector.
-- :user_id the scope  :revision the revision known already
SELECT row, memory_id, vector FROM passages WHERE user_id = :user_id AND revision > :revision ORDER BY row;
