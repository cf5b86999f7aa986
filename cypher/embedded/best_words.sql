-- Passages that hold at least one of the words, best BM25 first. Words carry their scope's token; whose row a passage is stands in its user_id.
-- :words the match expression  :user_id the scope  :limit rows
SELECT w.rowid, w.rank
FROM (SELECT rowid, rank FROM words WHERE words MATCH :words ORDER BY rank LIMIT :limit) AS w
CROSS JOIN passages AS p ON p.row = w.rowid AND p.user_id = :user_id;
