// Ids of the memories that name one of these entities, newest first, as far as a condition shows them.
// $user_id the scope  $ids entity ids  $limit rows
MATCH (e:Entity) WHERE e.user_id = $user_id AND e.id IN $ids
MATCH (e)<-[:SUBJECT|OBJECT|INVOLVES|MENTIONS]-(m:Memory)
WITH DISTINCT m
/*belief*/
WHERE /*where*/ true
RETURN m.id AS id ORDER BY m.moment DESC, id LIMIT $limit
