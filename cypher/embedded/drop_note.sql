-- Takes one note of the scope away.
-- :user_id the scope  :name which
DELETE FROM notes WHERE user_id = :user_id AND name = :name;
