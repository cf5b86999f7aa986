-- Merges the word index into one part, in which no erased word is left (no user_id: of every scope).
INSERT INTO words (words) VALUES ('optimize');
