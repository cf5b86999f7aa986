// Inserts memories, or replaces them by id; counters only grow, passages stay.
// $user_id the scope  $rows id, labels, props, times as [seconds, nanoseconds], names of all properties that stay, filters for passages, count, last
UNWIND $rows AS row
MERGE (m:Memory {user_id: $user_id, id: row.id})
WITH m, row, [name IN keys(m) WHERE NOT name IN row.names] AS gone, [l IN labels(m) WHERE l <> 'Memory' AND NOT l IN row.labels] AS other
SET m += row.props
FOREACH (name IN keys(row.times) | SET m[name] = datetime({epochSeconds: row.times[name][0], nanosecond: row.times[name][1]}))
SET m.access_count = CASE WHEN coalesce(m.access_count, 0) > row.count THEN m.access_count ELSE row.count END
SET m.last_accessed_at = CASE WHEN row.last IS NULL OR m.last_accessed_at > row.last THEN m.last_accessed_at ELSE row.last END
FOREACH (name IN gone | SET m[name] = null)
SET m:$(row.labels)
REMOVE m:$(other)
WITH m, row
CALL (m, row) { MATCH (m)-[:HAS_PASSAGE]->(p:Passage) SET p += row.filters }
RETURN count(m)
