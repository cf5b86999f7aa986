// Where does one memory come from: which turns, who said it, what followed from it?
// :param user_id => 'default'
// :param name => 'a part of its text'
MATCH (memory:Memory {user_id: $user_id})
WHERE memory.type <> 'Episode' AND memory.text CONTAINS $name
OPTIONAL MATCH source = (memory)-[:DERIVED_FROM]->(:Episode)
OPTIONAL MATCH about = (memory)-[:SUBJECT|OBJECT|INVOLVES]->(:Entity)
OPTIONAL MATCH said = (memory)-[:STATED]->(:Statement)
RETURN memory, source, about, said
LIMIT 50
