// What happened around one person, place or thing, in order?
// :param user_id => 'default'
// :param entity => 'Mira'
MATCH (who:Entity {user_id: $user_id})<-[:SUBJECT|OBJECT|INVOLVES|MENTIONS]-(memory:Memory)
WHERE who.name = $entity OR $entity IN who.aliases
RETURN memory.moment AS at, memory.type AS type, memory.text AS what, memory.state AS state
ORDER BY at
LIMIT 200
