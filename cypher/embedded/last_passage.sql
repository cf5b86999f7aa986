-- The number of the youngest passage: about how many the word index has taken in, over every scope (no user_id: a number is nobody's).
SELECT coalesce(max(row), 0) FROM passages;
