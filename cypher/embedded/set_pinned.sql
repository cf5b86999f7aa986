-- Pins a memory or lets it go.
-- :user_id the scope  :id the memory  :pinned 0 or 1  :revision the revision of this change
UPDATE memories SET pinned = :pinned, revision = :revision WHERE user_id = :user_id AND id = :id;
