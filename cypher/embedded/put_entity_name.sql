-- One folded name or alias of an entity.
-- :user_id the scope  :folded the name  :entity_id the entity
INSERT OR IGNORE INTO entity_names (user_id, folded, entity_id) VALUES (:user_id, :folded, :entity_id);
