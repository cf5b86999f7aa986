-- A page of the memories that a condition shows.
-- :user_id the scope  :limit rows
SELECT /*columns*/ m.*, /*sort*/ m.moment AS sort
FROM /*source*/ memories AS m
WHERE m.user_id = :user_id AND /*where*/ 1
ORDER BY /*order*/ m.id LIMIT :limit;
