// Which people, places and things do the most memories speak of?
// :param user_id => 'default'
MATCH (entity:Entity {user_id: $user_id})<-[:SUBJECT|OBJECT|INVOLVES|MENTIONS]-(memory:Memory)
WITH entity, count(DISTINCT memory) AS memories ORDER BY memories DESC LIMIT 12
RETURN entity.name AS entity, entity.kind AS kind, memories
