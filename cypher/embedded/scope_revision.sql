-- The scope's revision and the revision of its last erasure.
-- :user_id the scope
SELECT revision, purged FROM scopes WHERE user_id = :user_id;
