-- What a session's working memory holds, in order.
-- :user_id the scope  :session_id the session
SELECT memory_id, value, pinned, observed_at FROM working_items
WHERE user_id = :user_id AND session_id = :session_id ORDER BY position;
