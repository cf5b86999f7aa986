// A page of the scopes by name.
// $after the last user_id of the page before  $limit rows
MATCH (s:Scope) WHERE s.user_id > $after RETURN s.user_id ORDER BY s.user_id LIMIT $limit
