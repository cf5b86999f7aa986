-- Writes one note of the scope.
-- :user_id the scope  :name which  :value JSON
INSERT INTO notes (user_id, name, value) VALUES (:user_id, :name, :value)
ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value;
