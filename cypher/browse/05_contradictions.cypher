// What contradicts what, and why is it undecided?
// :param user_id => 'default'
MATCH dispute = (one:Memory {user_id: $user_id})-[clash:CONTRADICTS]->(other:Memory)
WHERE clash.superseded_at > datetime()
OPTIONAL MATCH evidence = (one)-[:DERIVED_FROM]->(:Episode)
OPTIONAL MATCH counter = (other)-[:DERIVED_FROM]->(:Episode)
RETURN dispute, evidence, counter
LIMIT 50
