// What is there of one user, and would be gone with him?
// :param user_id => 'default'
MATCH (held:Memory|Entity|Belief|Statement|Passage|TokenVectors|WorkingMemory|Note|Scope {user_id: $user_id})
RETURN labels(held) AS labels, count(*) AS nodes
ORDER BY nodes DESC
