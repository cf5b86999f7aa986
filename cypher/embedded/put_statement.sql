-- Appends a statement; one that is there stays as it is.
-- :user_id the scope  :id :key … the columns of `statements`
INSERT OR IGNORE INTO statements (user_id, id, key, value, memory_id, act, valid_from, valid_to, precision, source, confidence, policy,
  episode_id, recorded_at, retracted_at, properties)
VALUES (:user_id, :id, :key, :value, :memory_id, :act, :valid_from, :valid_to, :precision, :source, :confidence, :policy, :episode_id,
  :recorded_at, :retracted_at, :properties);
