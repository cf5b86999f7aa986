// The vector index, with the properties that it filters by itself (2026.01 and newer); exact vectors, for quantised ones lose half of the true best.
CYPHER 25 CREATE VECTOR INDEX memory_vectors IF NOT EXISTS FOR (n:Memory|Passage) ON n.embedding
WITH [n.user_id, n.state, n.valid_from, n.valid_to, n.type, n.session_id, n.task_id, n.agent_id, n.source]
OPTIONS {indexConfig: {`vector.dimensions`: /*dimensions*/ 384, `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE'}}
