// Counts by kind over every scope: no text of anybody is read, so no user_id.
// $open the far end
CALL () { MATCH (n:Memory) RETURN 'memories' AS kind, count(n) AS total
UNION ALL MATCH (n:Entity) WHERE n.kind IS NOT NULL RETURN 'entities' AS kind, count(n) AS total
UNION ALL MATCH (m:Memory) CALL (m) { MATCH (m)-[r]->(:Memory) WHERE r.superseded_at = $open RETURN count(r) AS here } RETURN 'relationships' AS kind, sum(here) AS total
UNION ALL MATCH (n:Statement) RETURN 'statements' AS kind, count(n) AS total
UNION ALL MATCH (n:Belief) RETURN 'beliefs' AS kind, count(n) AS total
UNION ALL MATCH (n:Memory) WHERE n.search_text IS NOT NULL RETURN 'passages' AS kind, count(n) AS total
UNION ALL MATCH (n:Passage) RETURN 'passages' AS kind, count(n) AS total
UNION ALL MATCH (n:Scope) RETURN 'users' AS kind, count(n) AS total }
RETURN kind, sum(total)
