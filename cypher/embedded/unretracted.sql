-- Ids of the statements under one claim key that are not retracted.
-- :user_id the scope  :key the claim key
SELECT id FROM statements WHERE user_id = :user_id AND key = :key AND retracted_at IS NULL;
