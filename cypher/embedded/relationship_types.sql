-- Types of relationship that the scope has.
-- :user_id the scope
SELECT type FROM relationship_types WHERE user_id = :user_id;
