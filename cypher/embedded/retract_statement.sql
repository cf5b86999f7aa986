-- Closes a statement that is open.
-- :user_id the scope  :id the statement  :retracted_at when
UPDATE statements SET retracted_at = :retracted_at WHERE user_id = :user_id AND id = :id AND retracted_at IS NULL;
