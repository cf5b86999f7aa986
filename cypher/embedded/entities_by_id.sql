-- Entities by id, in the order of the ids.
-- :user_id the scope  :ids JSON list
SELECT e.id, e.name, e.kind, e.aliases, e.merged_into
FROM json_each(:ids) AS wanted CROSS JOIN entities AS e ON e.user_id = :user_id AND e.id = wanted.value ORDER BY wanted.key;
