// Unties memories from the entities they name.
// $user_id the scope  $ids memory ids
UNWIND $ids AS id
MATCH (m:Memory {user_id: $user_id, id: id})-[r:SUBJECT|OBJECT|INVOLVES|MENTIONS]->(:Entity)
DELETE r
