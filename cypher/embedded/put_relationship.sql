-- A relationship from a moment on; one of the same id and moment is replaced.
-- :user_id the scope  :id … the columns of `relationships`
INSERT INTO relationships (user_id, id, source_id, type, target_id, properties, recorded_at, superseded_at)
VALUES (:user_id, :id, :source_id, :type, :target_id, :properties, :recorded_at, :superseded_at)
ON CONFLICT (user_id, id, recorded_at) DO UPDATE SET properties = excluded.properties, superseded_at = excluded.superseded_at;
