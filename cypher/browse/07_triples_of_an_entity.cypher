// What is known of one person, place or thing, as a picture?
// :param user_id => 'default'
// :param entity => 'Mira'
MATCH (who:Entity {user_id: $user_id})
WHERE who.name = $entity OR $entity IN who.aliases
MATCH known = (who)<-[:SUBJECT|OBJECT|INVOLVES]-(memory:Memory)-[:SUBJECT|OBJECT|INVOLVES*0..1]->()
WHERE memory.state IN ['current', 'disputed']
RETURN known
LIMIT 100
