-- What hangs on nothing: (kind, count); user_id joins every pair.
SELECT 'passages without memory', count(*) FROM passages AS p
WHERE NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.user_id = p.user_id AND m.id = p.memory_id)
UNION ALL SELECT 'relationships without an end', count(*) FROM relationships AS r
WHERE NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.user_id = r.user_id AND m.id = r.source_id)
   OR NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.user_id = r.user_id AND m.id = r.target_id)
UNION ALL SELECT 'entities named by memories but absent', count(*) FROM memory_entities AS r
WHERE NOT EXISTS (SELECT 1 FROM entities AS e WHERE e.user_id = r.user_id AND e.id = r.entity_id)
UNION ALL SELECT 'token vectors without passage', count(*) FROM token_vectors AS t
WHERE NOT EXISTS (SELECT 1 FROM passages AS p WHERE p.user_id = t.user_id AND p.memory_id = t.memory_id AND p.number = t.number);
