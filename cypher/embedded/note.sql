-- One note of the scope.
-- :user_id the scope  :name which
SELECT value FROM notes WHERE user_id = :user_id AND name = :name;
