// Which goals are open, and what hangs under them?
// :param user_id => 'default'
MATCH (goal:Memory:Goal {user_id: $user_id})
WHERE goal.state IN ['current', 'disputed'] AND goal.status IN ['pending', 'in_progress', 'blocked']
OPTIONAL MATCH under = (part:Memory)-[:SUBTASK_OF|PART_OF*1..4]->(goal)
RETURN goal, under
LIMIT 100
