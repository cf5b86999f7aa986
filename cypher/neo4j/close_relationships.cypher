// Ends relationships that stand.
// $user_id the scope  $rows id, at  $open the far end
UNWIND $rows AS row
MATCH ()-[r:/*types*/SUPPORTS]->() WHERE r.user_id = $user_id AND r.id = row.id AND r.superseded_at = $open
SET r.superseded_at = row.at
RETURN count(r)
