-- Ids of the memories that refer to one of these entities, newest first, as far as a condition shows them.
-- :user_id the scope  :ids JSON list of entity ids  :limit rows
SELECT m.id FROM /*source*/ memories AS m
WHERE m.user_id = :user_id AND m.id IN (
  SELECT r.memory_id FROM memory_entities AS r WHERE r.user_id = :user_id AND r.entity_id IN (SELECT value FROM json_each(:ids)))
  AND /*where*/ 1
ORDER BY m.moment DESC, m.id LIMIT :limit;
