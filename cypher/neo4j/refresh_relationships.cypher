// Writes new properties on relationships that stand, and their end where they have one.
// $user_id the scope  $rows id, names of all properties, props  $open the far end
UNWIND $rows AS row
MATCH ()-[r:/*types*/SUPPORTS]->() WHERE r.user_id = $user_id AND r.id = row.id AND r.superseded_at = $open
WITH r, row, [name IN keys(r) WHERE NOT name IN row.names] AS gone
SET r += row.props
FOREACH (name IN gone | SET r[name] = null)
RETURN count(r)
