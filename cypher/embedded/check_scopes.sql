-- The largest scopes: (user_id, memories).
SELECT user_id, count(*) FROM memories GROUP BY user_id ORDER BY 2 DESC LIMIT 3;
