-- The packed token vectors of one piece.
-- :user_id the scope  :memory_id :number which piece  :tokens packed bytes
INSERT INTO token_vectors (user_id, memory_id, number, tokens) VALUES (:user_id, :memory_id, :number, :tokens);
