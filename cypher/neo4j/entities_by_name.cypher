// Entities that one of these folded names or aliases names.
// $user_id the scope  $names folded names
CALL () {
  MATCH (e:Entity) WHERE e.user_id = $user_id AND e.name_key IN $names AND any(name IN e.folded WHERE name IN $names) RETURN e
  UNION
  MATCH (e:Entity) WHERE e.user_id = $user_id AND e.aliased = true AND any(name IN e.folded WHERE name IN $names) RETURN e
}
RETURN e.id AS id, e.name AS name, e.kind AS kind, e.aliases AS aliases, e.merged_into AS merged_into ORDER BY id
