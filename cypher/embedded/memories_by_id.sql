-- Memories by id, as far as a condition shows them.
-- :user_id the scope  :ids JSON list
SELECT /*columns*/ m.*
FROM /*source*/ memories AS m
WHERE m.user_id = :user_id AND m.id IN (SELECT value FROM json_each(:ids)) AND /*where*/ 1;
