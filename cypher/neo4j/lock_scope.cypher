// Takes the scope's write lock, so that its writers come one after the other, and counts the revision up; beyond every number it ever had.
// $user_id the scope
MERGE (s:Scope {user_id: $user_id}) SET s.writing = true
WITH s OPTIONAL MATCH (g:GraphMem {id: 'store'})
SET s.revision = coalesce(s.revision, coalesce(g.erased, 0)) + 1
REMOVE s.writing
RETURN s.revision AS revision, coalesce(s.awaited, 0) AS awaited
