// Which of these relationships stand.
// $user_id the scope  $ids relationship ids  $open the far end
MATCH ()-[r:/*types*/SUPPORTS]->() WHERE r.user_id = $user_id AND r.id IN $ids AND r.superseded_at = $open RETURN DISTINCT r.id
