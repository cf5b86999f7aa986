-- Counts one access; no revision moves, for nothing that scans read changes.
-- :user_id the scope  :id the memory  :at when
UPDATE memories SET access_count = access_count + 1, last_accessed_at = max(coalesce(last_accessed_at, :at), :at)
WHERE user_id = :user_id AND id = :id;
