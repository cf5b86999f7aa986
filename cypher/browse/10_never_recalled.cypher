// Which memories were never recalled?
// :param user_id => 'default'
MATCH (memory:Memory {user_id: $user_id})
WHERE memory.access_count = 0 AND memory.state IN ['current', 'disputed']
RETURN memory.type AS type, memory.text AS text, memory.importance AS importance, memory.recorded_at AS recorded
ORDER BY importance DESC, recorded
LIMIT 100
