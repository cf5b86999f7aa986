-- How many rows still speak of these memories.
-- :user_id the scope  :ids JSON list of memory ids
WITH gone (id) AS MATERIALIZED (SELECT value FROM json_each(:ids))
SELECT (SELECT count(*) FROM memories WHERE user_id = :user_id AND id IN (SELECT id FROM gone))
  + (SELECT count(*) FROM token_vectors WHERE user_id = :user_id AND memory_id IN (SELECT id FROM gone))
  + (SELECT count(*) FROM passages WHERE user_id = :user_id AND memory_id IN (SELECT id FROM gone))
  + (SELECT count(*) FROM memory_entities WHERE user_id = :user_id AND memory_id IN (SELECT id FROM gone))
  + (SELECT count(*) FROM beliefs WHERE user_id = :user_id AND memory_id IN (SELECT id FROM gone))
  + (SELECT count(*) FROM statements WHERE user_id = :user_id AND memory_id IN (SELECT id FROM gone))
  + (SELECT count(*) FROM working_items WHERE user_id = :user_id AND memory_id IN (SELECT id FROM gone))
  + (SELECT count(*) FROM statements WHERE user_id = :user_id AND episode_id IN (SELECT id FROM gone))
  + (SELECT count(*) FROM relationships WHERE user_id = :user_id AND source_id IN (SELECT id FROM gone))
  + (SELECT count(*) FROM relationships WHERE user_id = :user_id AND target_id IN (SELECT id FROM gone))
;
