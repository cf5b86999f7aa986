-- Deletes the relationships of these memories, whichever end they are.
-- :user_id the scope  :ids JSON list of memory ids
DELETE FROM relationships WHERE row IN (
  SELECT o.row FROM relationships AS o WHERE o.user_id = :user_id AND o.source_id IN (SELECT value FROM json_each(:ids))
  UNION SELECT i.row FROM relationships AS i WHERE i.user_id = :user_id AND i.target_id IN (SELECT value FROM json_each(:ids)));
