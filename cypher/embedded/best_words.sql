-- Passages that hold at least one of the words, best BM25 first. The scope's token, one of the words to match, weighs nothing; whose row a
-- passage is stands in its user_id.
-- :words the match expression  :user_id the scope  :limit rows
SELECT w.rowid, w.rank
FROM (SELECT rowid, rank FROM words WHERE words MATCH :words AND rank MATCH 'bm25(0.0, 1.0)' ORDER BY rank LIMIT :limit) AS w
CROSS JOIN passages AS p ON p.row = w.rowid AND p.user_id = :user_id;
