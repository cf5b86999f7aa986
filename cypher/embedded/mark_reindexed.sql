-- Says that a memory's passages were replaced in this revision.
-- :user_id the scope  :id the memory  :revision the revision of this change
UPDATE memories SET revision = :revision, reindexed = :revision WHERE user_id = :user_id AND id = :id;
