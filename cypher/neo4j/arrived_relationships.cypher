// Takes out the kept relationships whose two ends are there now that these memories came.
// $user_id the scope  $ids memory ids that came
MATCH (w:AwaitedRelationship) WHERE w.user_id = $user_id AND (w.source_id IN $ids OR w.target_id IN $ids)
CALL (w) { MATCH (a:Memory {user_id: $user_id, id: w.source_id}) RETURN a }
CALL (w) { MATCH (b:Memory {user_id: $user_id, id: w.target_id}) RETURN b }
WITH w, w {.id, .type, .source_id, .target_id, .recorded_at, .packed, .superseded_at} AS row
DELETE w
WITH collect(row) AS rows
MATCH (s:Scope {user_id: $user_id}) SET s.awaited = coalesce(s.awaited, 0) - size(rows)
RETURN rows
