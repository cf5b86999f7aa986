-- Moves the scope to a revision; :purged is that revision when rows went away, else 0.
-- :user_id the scope  :revision the new revision  :purged see above
INSERT INTO scopes (user_id, revision, purged) VALUES (:user_id, :revision, :purged)
ON CONFLICT (user_id) DO UPDATE SET revision = excluded.revision, purged = max(purged, excluded.purged);
