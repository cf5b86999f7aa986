// Deletes memories with all that hangs on them; counts by kind.
// $user_id the scope  $ids memory ids
MATCH (m:Memory) WHERE m.user_id = $user_id AND m.id IN $ids
WITH collect(m) AS doomed
CALL (doomed) { UNWIND doomed AS m MATCH (m)-[r]-(:Memory) RETURN count(DISTINCT r) AS relationships }
CALL (doomed) { UNWIND doomed AS m MATCH (m)-[r:SUBJECT|OBJECT|INVOLVES|MENTIONS]->(:Entity) RETURN count(r) AS mentions }
CALL () { MATCH (b:Belief) WHERE b.user_id = $user_id AND b.memory_id IN $ids WITH collect(b) AS every FOREACH (b IN every | DETACH DELETE b) RETURN size(every) AS beliefs }
CALL () { MATCH (s:Statement) WHERE s.user_id = $user_id AND s.memory_id IN $ids WITH collect(s) AS every FOREACH (s IN every | DETACH DELETE s) RETURN size(every) AS statements }
CALL () { MATCH (s:Statement) WHERE s.user_id = $user_id AND s.episode_id IN $ids WITH collect(s) AS every FOREACH (s IN every | REMOVE s.episode_id) RETURN size(every) AS forgotten }
CALL () { MATCH (p:Passage) WHERE p.user_id = $user_id AND p.memory_id IN $ids WITH collect(p) AS every FOREACH (p IN every | DETACH DELETE p) RETURN size(every) AS further }
CALL () { MATCH (t:TokenVectors) WHERE t.user_id = $user_id AND t.memory_id IN $ids WITH collect(t) AS every FOREACH (t IN every | DETACH DELETE t) RETURN size(every) AS token_vectors }
CALL () { MATCH (w:AwaitedRelationship) WHERE w.user_id = $user_id AND (w.source_id IN $ids OR w.target_id IN $ids) WITH collect(w) AS every FOREACH (w IN every | DETACH DELETE w) RETURN size(every) AS awaited }
WITH *, size([m IN doomed WHERE m.search_text IS NOT NULL]) + further AS passages, size(doomed) AS memories
FOREACH (m IN doomed | DETACH DELETE m)
RETURN memories, relationships + awaited AS relationships, mentions, beliefs, statements, passages, token_vectors
