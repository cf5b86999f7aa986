-- Ends a relationship that stands.
-- :user_id the scope  :id the relationship  :superseded_at when
UPDATE relationships SET superseded_at = :superseded_at WHERE user_id = :user_id AND id = :id AND superseded_at = 4611686018427387904;
