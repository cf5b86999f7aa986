// What was learned from one conversation?
// :param user_id => 'default'
// :param session => 'day 0'
MATCH (turn:Memory:Episode {user_id: $user_id, session_id: $session})
OPTIONAL MATCH taught = (turn)<-[:DERIVED_FROM]-(:Memory)
RETURN turn, taught
ORDER BY turn.said_at
LIMIT 100
