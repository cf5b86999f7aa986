// How many vectors of each length there are, over every scope (no user_id: nobody's text is read).
MATCH (n:Memory) WHERE n.embedding IS NOT NULL RETURN size(n.embedding) AS dimensions, count(*) AS total
