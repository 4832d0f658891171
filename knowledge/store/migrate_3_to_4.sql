-- Format 4: digests that models wrote, entities and relations of blocks, what is remembered of earlier questions.
CREATE TABLE digests (
  block_id TEXT PRIMARY KEY REFERENCES blocks (block_id) ON DELETE CASCADE,
  made_by TEXT NOT NULL,
  digest TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE graph_blocks (
  block_id TEXT NOT NULL REFERENCES blocks (block_id) ON DELETE CASCADE,
  made_by TEXT NOT NULL,
  PRIMARY KEY (block_id, made_by)
) WITHOUT ROWID;
CREATE TABLE relations (
  id INTEGER PRIMARY KEY,
  block_id TEXT NOT NULL REFERENCES blocks (block_id) ON DELETE CASCADE,
  made_by TEXT NOT NULL,
  subject TEXT NOT NULL,
  subject_kind TEXT NOT NULL,
  subject_key TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object TEXT NOT NULL,
  object_kind TEXT NOT NULL,
  object_key TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL
);
CREATE INDEX relations_of_block ON relations (block_id);
CREATE INDEX relations_by_subject ON relations (subject_key);
CREATE INDEX relations_by_object ON relations (object_key);
CREATE TABLE memories (
  memory_id TEXT PRIMARY KEY,
  thread_id TEXT NOT NULL,
  label TEXT NOT NULL,
  text TEXT NOT NULL,
  created_at TEXT NOT NULL,
  is_owner INTEGER NOT NULL,
  readers TEXT NOT NULL,
  trace_id TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX memories_by_time ON memories (created_at);
CREATE TABLE memory_documents (
  memory_id TEXT NOT NULL REFERENCES memories (memory_id) ON DELETE CASCADE,
  doc_id TEXT NOT NULL,
  version TEXT NOT NULL,
  PRIMARY KEY (memory_id, doc_id)
) WITHOUT ROWID;
CREATE INDEX memories_of_document ON memory_documents (doc_id);
UPDATE meta SET value = '4' WHERE key = 'format_version';
