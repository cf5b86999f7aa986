// The entities that these memories name, with all that were merged into them or into which they were merged: (id, merged_into, known, how many other memories name it).
// $user_id the scope  $ids memory ids
MATCH (m:Memory) WHERE m.user_id = $user_id AND m.id IN $ids
MATCH (m)-[:SUBJECT|OBJECT|INVOLVES|MENTIONS]->(named:Entity)
WITH DISTINCT named
MATCH (named)-[:MERGED_INTO*0..20]-(e:Entity)
WITH DISTINCT e
RETURN e.id AS id, e.merged_into AS merged_into, e.kind IS NOT NULL AS known,
  EXISTS { MATCH (e)<-[:SUBJECT|OBJECT|INVOLVES|MENTIONS]-(other:Memory) WHERE NOT other.id IN $ids } AS referred
