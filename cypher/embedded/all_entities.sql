-- A page of the scope's entities.
-- :user_id the scope  :after id of the last row of the page before ('' at first)  :limit rows
SELECT e.id, e.name, e.kind, e.aliases, e.merged_into FROM entities AS e
WHERE e.user_id = :user_id AND e.id > :after ORDER BY e.id LIMIT :limit;
