-- One indexed piece of a memory; a trigger writes it into the word index.
-- :user_id the scope  :memory_id :number which piece  :scope the scope's search token  :search_text tokens  :vector float32 or NULL  :revision
INSERT INTO passages (user_id, memory_id, number, scope, search_text, vector, revision)
VALUES (:user_id, :memory_id, :number, :scope, :search_text, :vector, :revision);
