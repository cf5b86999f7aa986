-- Inserts a memory, or replaces it by id; counters only grow. :indexed is :revision where the passages are replaced too, else 0.
-- :user_id :id :type … the columns of `memories`  :revision the revision of this change  :indexed see above
INSERT INTO memories (user_id, id, type, text, summary, properties, slots, stored_state, valid_from, valid_to, precision, recorded_at,
  superseded_at, source, confidence, importance, strength, session_id, task_id, agent_id, refs, keywords, location, reason, purpose,
  access_count, last_accessed_at, reinforcements, pinned, metadata, key, value, speaker, role, said_at, turn, moment, revision, reindexed)
VALUES (:user_id, :id, :type, :text, :summary, :properties, :slots, :stored_state, :valid_from, :valid_to, :precision, :recorded_at,
  :superseded_at, :source, :confidence, :importance, :strength, :session_id, :task_id, :agent_id, :refs, :keywords, :location, :reason,
  :purpose, :access_count, :last_accessed_at, :reinforcements, :pinned, :metadata, :key, :value, :speaker, :role, :said_at, :turn, :moment,
  :revision, :indexed)
ON CONFLICT (user_id, id) DO UPDATE SET type = excluded.type, text = excluded.text, summary = excluded.summary,
  properties = excluded.properties, slots = excluded.slots, stored_state = excluded.stored_state, valid_from = excluded.valid_from,
  valid_to = excluded.valid_to, precision = excluded.precision, recorded_at = excluded.recorded_at,
  superseded_at = excluded.superseded_at, source = excluded.source, confidence = excluded.confidence, importance = excluded.importance,
  strength = excluded.strength, session_id = excluded.session_id, task_id = excluded.task_id, agent_id = excluded.agent_id,
  refs = excluded.refs, keywords = excluded.keywords, location = excluded.location, reason = excluded.reason, purpose = excluded.purpose,
  access_count = max(access_count, excluded.access_count),
  last_accessed_at = nullif(max(coalesce(last_accessed_at, -4611686018427387904), coalesce(excluded.last_accessed_at, -4611686018427387904)),
    -4611686018427387904),
  reinforcements = excluded.reinforcements, pinned = excluded.pinned, metadata = excluded.metadata, key = excluded.key,
  value = excluded.value, speaker = excluded.speaker, role = excluded.role, said_at = excluded.said_at, turn = excluded.turn,
  moment = excluded.moment, revision = excluded.revision, reindexed = max(reindexed, excluded.reindexed);
