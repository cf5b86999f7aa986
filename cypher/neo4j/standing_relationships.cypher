// Which of these relationships are there, and whether they stand.
// $user_id the scope  $ids relationship ids  $open the far end
MATCH ()-[r:/*types*/SUPPORTS]->() WHERE r.user_id = $user_id AND r.id IN $ids RETURN r.id AS id, max(r.superseded_at) = $open AS stands
