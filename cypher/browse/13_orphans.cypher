// What hangs on nothing?
// :param user_id => 'default'
MATCH (alone:Memory {user_id: $user_id})
WHERE alone.type <> 'Episode' AND NOT EXISTS { (alone)--(:Memory) } AND NOT EXISTS { (alone)-->(:Entity) }
RETURN alone
LIMIT 100
