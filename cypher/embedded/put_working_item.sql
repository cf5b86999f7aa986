-- One memory that a session holds.
-- :user_id the scope  :session_id the session  :position :memory_id :value :pinned :observed_at
INSERT INTO working_items (user_id, session_id, position, memory_id, value, pinned, observed_at)
VALUES (:user_id, :session_id, :position, :memory_id, :value, :pinned, :observed_at);
