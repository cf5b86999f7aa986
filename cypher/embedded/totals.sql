-- Counts by kind, over every scope: no row of anybody is read.
SELECT 'memories', count(*) FROM memories
UNION ALL SELECT 'entities', count(*) FROM entities
UNION ALL SELECT 'relationships', count(*) FROM relationships WHERE superseded_at = 4611686018427387904
UNION ALL SELECT 'statements', count(*) FROM statements
UNION ALL SELECT 'beliefs', count(*) FROM beliefs
UNION ALL SELECT 'passages', count(*) FROM passages
UNION ALL SELECT 'users', count(*) FROM scopes;
