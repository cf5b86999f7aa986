-- Closes the open belief of a memory at the moment when the next one is recorded.
-- :user_id the scope  :memory_id the memory  :recorded_at when the next begins
UPDATE beliefs SET superseded_at = :recorded_at
WHERE user_id = :user_id AND memory_id = :memory_id AND superseded_at > :recorded_at AND recorded_at < :recorded_at;
