-- One entity that a memory names.
-- :user_id the scope  :memory_id the memory  :entity_id the entity  :role subject, object, involves or mentions  :folded the name it uses
INSERT OR REPLACE INTO memory_entities (user_id, memory_id, entity_id, role, folded)
VALUES (:user_id, :memory_id, :entity_id, :role, :folded);
