// A page of the scope's entities by id.
// $user_id the scope  $after the last id of the page before  $limit rows
MATCH (e:Entity) WHERE e.user_id = $user_id AND e.id > $after AND e.kind IS NOT NULL
RETURN e.id AS id, e.name AS name, e.kind AS kind, e.aliases AS aliases, e.merged_into AS merged_into ORDER BY id LIMIT $limit
