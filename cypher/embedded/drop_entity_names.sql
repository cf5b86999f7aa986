-- Takes an entity's folded names away before they are written anew.
-- :user_id the scope  :id the entity
DELETE FROM entity_names WHERE user_id = :user_id AND entity_id = :id;
