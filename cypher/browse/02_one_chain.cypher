// What belongs to one task: its steps, what it depends on, what happened and what was said?
// :param user_id => 'default'
// :param name => 'a part of its text'
MATCH (task:Memory {user_id: $user_id})
WHERE task.type IN ['Goal', 'Plan', 'Event'] AND task.text CONTAINS $name
MATCH chain = (task)-[:SUBTASK_OF|PART_OF|DEPENDS_ON|CAUSES|SUPPORTS|DERIVED_FROM*0..3]-(:Memory)
RETURN chain
LIMIT 100
