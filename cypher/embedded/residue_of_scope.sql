-- How many rows still speak of a scope; in the word index its words begin with its token.
-- :user_id the scope  :words that beginning as a match expression
SELECT (SELECT count(*) FROM words WHERE words MATCH :words)
  + (SELECT count(*) FROM token_vectors WHERE user_id = :user_id)
  + (SELECT count(*) FROM passages WHERE user_id = :user_id)
  + (SELECT count(*) FROM memory_entities WHERE user_id = :user_id)
  + (SELECT count(*) FROM beliefs WHERE user_id = :user_id)
  + (SELECT count(*) FROM statements WHERE user_id = :user_id)
  + (SELECT count(*) FROM relationships WHERE user_id = :user_id)
  + (SELECT count(*) FROM relationship_types WHERE user_id = :user_id)
  + (SELECT count(*) FROM working_items WHERE user_id = :user_id)
  + (SELECT count(*) FROM notes WHERE user_id = :user_id)
  + (SELECT count(*) FROM entity_names WHERE user_id = :user_id)
  + (SELECT count(*) FROM entities WHERE user_id = :user_id)
  + (SELECT count(*) FROM memories WHERE user_id = :user_id)
  + (SELECT count(*) FROM scopes WHERE user_id = :user_id)
;
