-- Notes that the scope has relationships of a type.
-- :user_id the scope  :type the type
INSERT OR IGNORE INTO relationship_types (user_id, type) VALUES (:user_id, :type);
