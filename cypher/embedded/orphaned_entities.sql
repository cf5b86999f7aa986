-- Those of these entities, and of what was merged into them, to which no memory refers any more.
-- :user_id the scope  :ids JSON list of entity ids
WITH RECURSIVE family (id) AS (
  SELECT value FROM json_each(:ids)
  UNION SELECT e.id FROM entities AS e JOIN family AS f ON e.merged_into = f.id WHERE e.user_id = :user_id
  UNION SELECT e.merged_into FROM entities AS e JOIN family AS f ON e.id = f.id WHERE e.user_id = :user_id AND e.merged_into IS NOT NULL
)
SELECT f.id FROM family AS f
WHERE NOT EXISTS (SELECT 1 FROM memory_entities AS r WHERE r.user_id = :user_id AND r.entity_id = f.id)
  AND NOT EXISTS (SELECT 1 FROM entities AS e JOIN memory_entities AS r ON r.user_id = e.user_id AND r.entity_id = e.id
    WHERE e.user_id = :user_id AND e.merged_into = f.id);
