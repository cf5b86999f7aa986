-- Deletes what statements holds of these memories: their own, and what other memories state of a value that only these hold (its end).
-- :user_id the scope  :ids JSON list of memory ids
DELETE FROM statements WHERE user_id = :user_id AND (memory_id IN (SELECT value FROM json_each(:ids)) OR id IN (
  SELECT s.id FROM memories AS gone JOIN statements AS s ON s.user_id = gone.user_id AND s.key = gone.key AND s.value = gone.value
  WHERE gone.user_id = :user_id AND gone.id IN (SELECT value FROM json_each(:ids)) AND NOT EXISTS (
    SELECT 1 FROM memories AS kept WHERE kept.user_id = gone.user_id AND kept.key = gone.key AND kept.value = gone.value
      AND kept.id NOT IN (SELECT value FROM json_each(:ids)))));
