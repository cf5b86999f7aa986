// Inserts entities or replaces them by id.
// $user_id the scope  $rows id, labels, props, names of all properties
UNWIND $rows AS row
MERGE (e:Entity {user_id: $user_id, id: row.id})
WITH e, row, [name IN keys(e) WHERE NOT name IN row.names] AS gone, [l IN labels(e) WHERE l <> 'Entity' AND NOT l IN row.labels] AS other
SET e += row.props
FOREACH (name IN gone | SET e[name] = null)
SET e:$(row.labels)
REMOVE e:$(other)
WITH e, row
CALL (e) { MATCH (e)-[r:MERGED_INTO]->() DELETE r }
RETURN count(e)
