-- A page of the scopes that hold something.
-- :after user_id of the last row of the page before ('' at first)  :limit rows
SELECT user_id FROM scopes WHERE user_id > :after ORDER BY user_id LIMIT :limit;
