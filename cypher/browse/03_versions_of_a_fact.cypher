// Which values did one thing have, one after the other?
// :param user_id => 'default'
// :param subject => 'Mira'
// :param relation => 'lives_in'
MATCH (fact:Memory:Fact {user_id: $user_id, subject: $subject, relation: $relation})
OPTIONAL MATCH replaced = (fact)-[:SUPERSEDES]->(:Fact)
RETURN fact, replaced
ORDER BY fact.valid_from
