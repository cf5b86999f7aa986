// One hop from a frontier in both directions: what stood at a moment, up to a number for each start.
// $user_id the scope  $ids memory ids  $as_of the moment  $cap rows for each start
UNWIND range(0, size($ids) - 1) AS place
MATCH (s:Memory {user_id: $user_id, id: $ids[place]})
CALL (s) {
  MATCH (s)-[r:/*types*/SUPPORTS]-(o:Memory) WHERE r.recorded_at <= $as_of AND r.superseded_at > $as_of
  WITH DISTINCT r LIMIT $cap
  RETURN r
}
RETURN place, s.id AS start, r.id AS id, startNode(r).id AS source_id, type(r) AS type, endNode(r).id AS target_id, r.packed AS packed, r.recorded_at AS recorded, r.superseded_at AS closed
ORDER BY place, recorded DESC, id
