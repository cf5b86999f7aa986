-- How many memories of each type a condition shows.
-- :user_id the scope
SELECT m.type, count(*) FROM /*source*/ memories AS m WHERE m.user_id = :user_id AND /*where*/ 1 GROUP BY m.type;
