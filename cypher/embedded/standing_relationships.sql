-- Which of these relationships stand.
-- :user_id the scope  :ids JSON list of relationship ids
SELECT id FROM relationships
WHERE user_id = :user_id AND id IN (SELECT value FROM json_each(:ids)) AND superseded_at = 4611686018427387904;
