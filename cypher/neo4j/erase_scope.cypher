// Deletes the scope's own node and remembers how far its revisions went, so that no number comes back.
// $user_id the scope
MATCH (s:Scope {user_id: $user_id})
MERGE (g:GraphMem {id: 'store'})
SET g.erased = CASE WHEN coalesce(g.erased, 0) > s.revision THEN g.erased ELSE s.revision END
DELETE s
