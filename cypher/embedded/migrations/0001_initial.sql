-- The first schema of the embedded store. Times are microseconds since 1970 in UTC; an open start is -4611686018427387904, an open end
-- 4611686018427387904, so that every comparison is one of integers. `revision` is the store-wide number of the change that wrote a row last.

PRAGMA application_id = 1735224173;

CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO meta (name, value) VALUES ('revision', 0);

-- One row a scope; `purged` is the revision of its last erasure, after which cached slices are read anew.
CREATE TABLE scopes (user_id TEXT PRIMARY KEY, revision INTEGER NOT NULL, purged INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;

-- `properties` round-trips exactly (values tagged); `slots` is its comparable form, which filters read. `moment` orders "newest".
-- `reindexed` is the revision that replaced the passages last.
CREATE TABLE memories (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  text TEXT NOT NULL,
  summary TEXT NOT NULL,
  properties TEXT NOT NULL,
  slots TEXT NOT NULL,
  stored_state TEXT NOT NULL,
  valid_from INTEGER NOT NULL,
  valid_to INTEGER NOT NULL,
  precision TEXT,
  recorded_at INTEGER,
  superseded_at INTEGER,
  source TEXT NOT NULL,
  confidence REAL NOT NULL,
  importance REAL NOT NULL,
  strength REAL NOT NULL,
  session_id TEXT,
  task_id TEXT,
  agent_id TEXT,
  refs TEXT NOT NULL,
  keywords TEXT NOT NULL,
  location TEXT,
  reason TEXT,
  purpose TEXT,
  access_count INTEGER NOT NULL,
  last_accessed_at INTEGER,
  reinforcements INTEGER NOT NULL,
  pinned INTEGER NOT NULL,
  metadata TEXT NOT NULL,
  key TEXT,
  value TEXT,
  speaker TEXT,
  role TEXT,
  said_at INTEGER,
  turn INTEGER NOT NULL,
  moment INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  reindexed INTEGER NOT NULL,
  UNIQUE (user_id, id)
);
CREATE INDEX memories_by_revision ON memories (user_id, revision);
CREATE INDEX memories_by_moment ON memories (user_id, moment DESC, id);
CREATE INDEX memories_by_type ON memories (user_id, type, moment DESC, id);
CREATE INDEX memories_by_key ON memories (user_id, key) WHERE key IS NOT NULL;
CREATE INDEX memories_by_task ON memories (user_id, task_id) WHERE task_id IS NOT NULL;
CREATE INDEX memories_by_session ON memories (user_id, session_id, said_at, turn, id) WHERE session_id IS NOT NULL;
CREATE INDEX memories_by_speaker ON memories (user_id, speaker) WHERE type = 'Episode' AND speaker IS NOT NULL;

-- Which memories name which entity; `folded` is the name that the memory uses.
CREATE TABLE memory_entities (
  user_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  role TEXT NOT NULL,
  folded TEXT NOT NULL,
  PRIMARY KEY (user_id, memory_id, entity_id, role),
  FOREIGN KEY (user_id, memory_id) REFERENCES memories (user_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX memory_entities_by_entity ON memory_entities (user_id, entity_id, memory_id);

CREATE TABLE entities (
  user_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  aliases TEXT NOT NULL,
  merged_into TEXT,
  PRIMARY KEY (user_id, id)
) WITHOUT ROWID;
CREATE INDEX entities_merged ON entities (user_id, merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE entity_names (
  user_id TEXT NOT NULL,
  folded TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  PRIMARY KEY (user_id, folded, entity_id)
) WITHOUT ROWID;
CREATE INDEX entity_names_by_entity ON entity_names (user_id, entity_id);

CREATE TABLE passages (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  scope TEXT NOT NULL,
  search_text TEXT NOT NULL,
  vector BLOB,
  revision INTEGER NOT NULL,
  UNIQUE (user_id, memory_id, number),
  FOREIGN KEY (user_id, memory_id) REFERENCES memories (user_id, id) ON DELETE CASCADE
);
CREATE INDEX passages_by_revision ON passages (user_id, revision);

-- Apart from passages, so that scans of vectors do not read the many token vectors.
CREATE TABLE token_vectors (
  user_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  tokens BLOB NOT NULL,
  PRIMARY KEY (user_id, memory_id, number),
  FOREIGN KEY (user_id, memory_id) REFERENCES memories (user_id, id) ON DELETE CASCADE
);

-- Each word is indexed with its scope's token in front, so that a scope's lists are as short as the scope and its statistics are its own.
CREATE VIEW passage_words AS
SELECT row, scope || replace(search_text, ' ', ' ' || scope) AS search_text FROM passages;
CREATE VIRTUAL TABLE words USING fts5 (
  search_text, content = 'passage_words', content_rowid = 'row', tokenize = "unicode61 remove_diacritics 0"
);
CREATE TRIGGER passages_in AFTER INSERT ON passages BEGIN
  INSERT INTO words (rowid, search_text) VALUES (new.row, new.scope || replace(new.search_text, ' ', ' ' || new.scope));
END;
CREATE TRIGGER passages_out AFTER DELETE ON passages BEGIN
  INSERT INTO words (words, rowid, search_text)
  VALUES ('delete', old.row, old.scope || replace(old.search_text, ' ', ' ' || old.scope));
END;

CREATE TABLE beliefs (
  user_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  superseded_at INTEGER NOT NULL,
  text TEXT NOT NULL,
  properties TEXT NOT NULL,
  slots TEXT NOT NULL,
  stored_state TEXT NOT NULL,
  valid_from INTEGER NOT NULL,
  valid_to INTEGER NOT NULL,
  precision TEXT,
  confidence REAL NOT NULL,
  PRIMARY KEY (user_id, memory_id, recorded_at),
  FOREIGN KEY (user_id, memory_id) REFERENCES memories (user_id, id) ON DELETE CASCADE
);
CREATE INDEX beliefs_by_recorded ON beliefs (user_id, recorded_at);
CREATE INDEX beliefs_by_superseded ON beliefs (user_id, superseded_at) WHERE superseded_at < 4611686018427387904;

CREATE TABLE statements (
  user_id TEXT NOT NULL,
  id TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  act TEXT NOT NULL,
  valid_from INTEGER NOT NULL,
  valid_to INTEGER NOT NULL,
  precision TEXT,
  source TEXT NOT NULL,
  confidence REAL NOT NULL,
  policy TEXT NOT NULL,
  episode_id TEXT,
  recorded_at INTEGER NOT NULL,
  retracted_at INTEGER,
  properties TEXT NOT NULL,
  PRIMARY KEY (user_id, id)
) WITHOUT ROWID;
CREATE INDEX statements_by_key ON statements (user_id, key);
CREATE INDEX statements_by_memory ON statements (user_id, memory_id);
CREATE INDEX statements_by_episode ON statements (user_id, episode_id) WHERE episode_id IS NOT NULL;

-- One row for each span of transaction time in which a relationship stood; reopening begins another.
CREATE TABLE relationships (
  row INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL,
  id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  properties TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  superseded_at INTEGER NOT NULL,
  UNIQUE (user_id, id, recorded_at)
);
CREATE INDEX relationships_out ON relationships (user_id, source_id, type, recorded_at DESC, id);
CREATE INDEX relationships_in ON relationships (user_id, target_id, type, recorded_at DESC, id);

CREATE TABLE relationship_types (user_id TEXT NOT NULL, type TEXT NOT NULL, PRIMARY KEY (user_id, type)) WITHOUT ROWID;

CREATE TABLE working_items (
  user_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  memory_id TEXT NOT NULL,
  value REAL NOT NULL,
  pinned INTEGER NOT NULL,
  observed_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, session_id, position)
) WITHOUT ROWID;
CREATE INDEX working_items_by_memory ON working_items (user_id, memory_id);

CREATE TABLE notes (user_id TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (user_id, name)) WITHOUT ROWID;

-- Every memory once for each belief about it, shaped like `memories`; one without beliefs (an episode) stands for itself.
CREATE VIEW believed AS
SELECT m.row, m.user_id, m.id, m.type, b.text, m.summary, b.properties, b.slots, b.stored_state, b.valid_from, b.valid_to, b.precision,
  b.recorded_at, nullif(b.superseded_at, 4611686018427387904) AS superseded_at, m.source, b.confidence, m.importance, m.strength,
  m.session_id, m.task_id, m.agent_id, m.refs, m.keywords, m.location, m.reason, m.purpose, m.access_count, m.last_accessed_at,
  m.reinforcements, m.pinned, m.metadata, m.key, m.value, m.speaker, m.role, m.said_at, m.turn, m.moment,
  b.recorded_at AS believed_from, b.superseded_at AS believed_to
FROM memories AS m JOIN beliefs AS b ON b.user_id = m.user_id AND b.memory_id = m.id
UNION ALL
SELECT m.row, m.user_id, m.id, m.type, m.text, m.summary, m.properties, m.slots, m.stored_state, m.valid_from, m.valid_to, m.precision,
  m.recorded_at, m.superseded_at, m.source, m.confidence, m.importance, m.strength,
  m.session_id, m.task_id, m.agent_id, m.refs, m.keywords, m.location, m.reason, m.purpose, m.access_count, m.last_accessed_at,
  m.reinforcements, m.pinned, m.metadata, m.key, m.value, m.speaker, m.role, m.said_at, m.turn, m.moment,
  coalesce(m.recorded_at, -4611686018427387904), coalesce(m.superseded_at, 4611686018427387904)
FROM memories AS m WHERE NOT EXISTS (SELECT 1 FROM beliefs AS b WHERE b.user_id = m.user_id AND b.memory_id = m.id);
