-- Empties a session's working memory before it is written anew.
-- :user_id the scope  :session_id the session
DELETE FROM working_items WHERE user_id = :user_id AND session_id = :session_id;
