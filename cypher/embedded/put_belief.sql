-- What is believed of a memory from a moment on; one of the same moment is replaced, for nobody can have read it.
-- :user_id the scope  :memory_id … the columns of `beliefs`
INSERT INTO beliefs (user_id, memory_id, recorded_at, superseded_at, text, properties, slots, stored_state, valid_from, valid_to, precision,
  confidence)
VALUES (:user_id, :memory_id, :recorded_at, :superseded_at, :text, :properties, :slots, :stored_state, :valid_from, :valid_to, :precision,
  :confidence)
ON CONFLICT (user_id, memory_id, recorded_at) DO UPDATE SET superseded_at = excluded.superseded_at, text = excluded.text,
  properties = excluded.properties, slots = excluded.slots, stored_state = excluded.stored_state, valid_from = excluded.valid_from,
  valid_to = excluded.valid_to, precision = excluded.precision, confidence = excluded.confidence;
