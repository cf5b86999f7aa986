// The vector index of a server that cannot filter in it (5.26); whole scopes of up to 20,000 memories are scanned exactly instead.
CREATE VECTOR INDEX memory_vectors IF NOT EXISTS FOR (n:Memory) ON n.embedding
OPTIONS {indexConfig: {`vector.dimensions`: /*dimensions*/ 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}
