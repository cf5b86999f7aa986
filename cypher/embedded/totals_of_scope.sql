-- Counts by kind of one scope.
-- :user_id the scope
SELECT 'memories', count(*) FROM memories WHERE user_id = :user_id
UNION ALL SELECT 'entities', count(*) FROM entities WHERE user_id = :user_id
UNION ALL SELECT 'relationships', count(*) FROM relationships WHERE user_id = :user_id AND superseded_at = 4611686018427387904
UNION ALL SELECT 'statements', count(*) FROM statements WHERE user_id = :user_id
UNION ALL SELECT 'beliefs', count(*) FROM beliefs WHERE user_id = :user_id
UNION ALL SELECT 'passages', count(*) FROM passages WHERE user_id = :user_id
UNION ALL SELECT 'users', count(*) FROM scopes WHERE user_id = :user_id;
