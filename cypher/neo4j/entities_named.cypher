// Which entities the names in a filter mean, and those into which they were merged.
// $user_id the scope  $names folded names
CALL () {
  MATCH (e:Entity) WHERE e.user_id = $user_id AND e.name_key IN $names RETURN e
  UNION
  MATCH (e:Entity) WHERE e.user_id = $user_id AND e.aliased = true AND any(name IN e.folded WHERE name IN $names) RETURN e
}
UNWIND [name IN e.folded WHERE name IN $names] AS name
UNWIND [id IN [e.id, e.merged_into] WHERE id IS NOT NULL] AS id
RETURN DISTINCT name, id
