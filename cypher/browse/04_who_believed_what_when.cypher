// What did the store hold of a subject, from when to when, as said by whom?
// :param user_id => 'default'
// :param subject => 'Mira'
MATCH (fact:Memory {user_id: $user_id})-[:HELD]->(belief:Belief)
WHERE fact.subject = $subject
RETURN belief.text AS held, belief.state AS state, fact.source AS source,
  belief.recorded_at AS believed_from, belief.superseded_at AS believed_until, belief.valid_from AS true_from, belief.valid_to AS true_until
ORDER BY believed_from, held
