-- Fails when the word index does not agree with the passages; it reads the index alone, no user_id.
INSERT INTO words (words, rank) VALUES ('integrity-check', 1);
