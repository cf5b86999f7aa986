-- These entities with all that were merged into them or into which they were merged: (id, merged_into, whether a memory refers to it).
-- :user_id the scope  :ids JSON list of entity ids
WITH RECURSIVE family (id) AS (
  SELECT value FROM json_each(:ids)
  UNION SELECT e.id FROM entities AS e JOIN family AS f ON e.merged_into = f.id WHERE e.user_id = :user_id AND e.merged_into IS NOT NULL
  UNION SELECT e.merged_into FROM entities AS e JOIN family AS f ON e.id = f.id WHERE e.user_id = :user_id AND e.merged_into IS NOT NULL
)
SELECT f.id, (SELECT e.merged_into FROM entities AS e WHERE e.user_id = :user_id AND e.id = f.id),
  EXISTS (SELECT 1 FROM memory_entities AS r WHERE r.user_id = :user_id AND r.entity_id = f.id)
FROM family AS f;
