-- All passages of these memories.
-- :user_id the scope  :ids JSON list of memory ids  :vectors 1 to read vectors  :tokens 1 to read token vectors
SELECT p.memory_id, p.number, p.search_text, CASE WHEN :vectors THEN p.vector END,
  CASE WHEN :tokens THEN (SELECT t.tokens FROM token_vectors AS t
    WHERE t.user_id = p.user_id AND t.memory_id = p.memory_id AND t.number = p.number) END
FROM passages AS p
WHERE p.user_id = :user_id AND p.memory_id IN (SELECT value FROM json_each(:ids)) ORDER BY p.memory_id, p.number;
