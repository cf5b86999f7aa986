-- Entities that one of these folded names or aliases names.
-- :user_id the scope  :names JSON list
SELECT e.id, e.name, e.kind, e.aliases, e.merged_into FROM entities AS e
WHERE e.user_id = :user_id AND e.id IN (
  SELECT n.entity_id FROM entity_names AS n WHERE n.user_id = :user_id AND n.folded IN (SELECT value FROM json_each(:names)))
ORDER BY e.id;
