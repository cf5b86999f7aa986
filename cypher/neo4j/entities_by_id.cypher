// These entities, in this order.
// $user_id the scope  $ids entity ids
UNWIND range(0, size($ids) - 1) AS place
MATCH (e:Entity {user_id: $user_id, id: $ids[place]}) WHERE e.kind IS NOT NULL
RETURN e.id AS id, e.name AS name, e.kind AS kind, e.aliases AS aliases, e.merged_into AS merged_into ORDER BY place
