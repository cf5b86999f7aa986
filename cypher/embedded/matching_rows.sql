-- Row numbers of the memories that a condition shows.
-- :user_id the scope
SELECT m.row FROM /*source*/ memories AS m WHERE m.user_id = :user_id AND /*where*/ 1;
