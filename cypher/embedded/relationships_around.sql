-- One hop from a frontier in both directions: for each start and type the newest ones that stood at a moment.
-- :user_id the scope  :ids JSON list of memory ids  :types JSON list  :as_of the moment  :limit rows for each start and type
SELECT s.value, r.id, r.source_id, r.type, r.target_id, r.properties, r.recorded_at, r.superseded_at
FROM json_each(:ids) AS s CROSS JOIN json_each(:types) AS t
CROSS JOIN relationships AS r ON r.row IN (
  SELECT row FROM (
    SELECT o.row AS row, o.recorded_at AS recorded_at, o.id AS id FROM relationships AS o
    WHERE o.user_id = :user_id AND o.source_id = s.value AND o.type = t.value
      AND o.recorded_at <= :as_of AND o.superseded_at > :as_of
    UNION ALL
    SELECT i.row, i.recorded_at, i.id FROM relationships AS i
    WHERE i.user_id = :user_id AND i.target_id = s.value AND i.type = t.value AND i.source_id <> i.target_id
      AND i.recorded_at <= :as_of AND i.superseded_at > :as_of
    ORDER BY 2 DESC, 3 LIMIT :limit))
ORDER BY s.key, r.recorded_at DESC, r.id;
