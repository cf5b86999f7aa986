// The largest scopes: (user_id, memories).
MATCH (m:Memory) RETURN m.user_id, count(*) AS total ORDER BY total DESC LIMIT 3
