-- Deletes everything of a scope, its name included.
-- :user_id the scope
DELETE FROM token_vectors WHERE user_id = :user_id;
DELETE FROM passages WHERE user_id = :user_id;
DELETE FROM memory_entities WHERE user_id = :user_id;
DELETE FROM beliefs WHERE user_id = :user_id;
DELETE FROM statements WHERE user_id = :user_id;
DELETE FROM relationships WHERE user_id = :user_id;
DELETE FROM relationship_types WHERE user_id = :user_id;
DELETE FROM working_items WHERE user_id = :user_id;
DELETE FROM notes WHERE user_id = :user_id;
DELETE FROM entity_names WHERE user_id = :user_id;
DELETE FROM entities WHERE user_id = :user_id;
DELETE FROM memories WHERE user_id = :user_id;
DELETE FROM scopes WHERE user_id = :user_id;
