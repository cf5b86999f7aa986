// Appends statements; one that is there stays as it is.
// $user_id the scope  $rows id, memory_id, episode_id, props
UNWIND $rows AS row
MERGE (s:Statement {user_id: $user_id, id: row.id}) ON CREATE SET s += row.props
WITH s, row
CALL (s, row) {
  MATCH (m:Memory {user_id: $user_id, id: row.memory_id}) MERGE (m)-[:STATED]->(s)
}
CALL (s, row) {
  MATCH (e:Memory {user_id: $user_id, id: row.episode_id}) MERGE (s)-[:SAID_IN]->(e)
}
RETURN count(s)
