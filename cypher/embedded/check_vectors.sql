-- How many vectors of each length in bytes there are, over every scope (no user_id: nobody's text is read).
SELECT length(vector), count(*) FROM passages WHERE vector IS NOT NULL GROUP BY 1;
