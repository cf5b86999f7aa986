-- Writes new properties on a relationship that stands, and its end where it has one.
-- :user_id the scope  :id the relationship  :properties JSON  :superseded_at its end, or the far future
UPDATE relationships SET properties = :properties, superseded_at = :superseded_at
WHERE user_id = :user_id AND id = :id AND superseded_at = 4611686018427387904;
