// Deletes entities; returns how many of them were known.
// $user_id the scope  $ids entity ids
MATCH (e:Entity) WHERE e.user_id = $user_id AND e.id IN $ids
WITH collect(e) AS every, count(e.kind) AS known
FOREACH (e IN every | DETACH DELETE e)
RETURN known
