-- Every passage of a scope written after a revision, with its vector; in the order of the index, which is that of the rows, for both only grow.
-- :user_id the scope  :revision the revision known already
SELECT row, memory_id, vector FROM passages WHERE user_id = :user_id AND revision > :revision ORDER BY revision, row;
