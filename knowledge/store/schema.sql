CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- One row a version of a document. At most one version of a document is active.
CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  doc_id TEXT NOT NULL,
  version TEXT NOT NULL,
  title TEXT NOT NULL,
  source_uri TEXT NOT NULL,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  doc_type TEXT,
  domain TEXT,
  authority INTEGER NOT NULL,
  published_at TEXT,
  effective_from TEXT,
  effective_to TEXT,
  updated_at TEXT NOT NULL,
  status TEXT NOT NULL,
  pages INTEGER,
  unread_pages TEXT NOT NULL,
  replaces TEXT NOT NULL DEFAULT '[]',
  replaced_at TEXT,
  parse_record TEXT,
  statements TEXT
);
CREATE UNIQUE INDEX one_active_version ON documents (doc_id) WHERE status = 'active';
CREATE INDEX documents_by_uri ON documents (source_uri) WHERE status = 'active';

-- Who may see a document; no row means everyone.
CREATE TABLE readers (
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  reader TEXT NOT NULL,
  PRIMARY KEY (document, reader)
) WITHOUT ROWID;

-- Text by content: a block that two versions share is stored once.
CREATE TABLE blocks (
  block_id TEXT PRIMARY KEY,
  doc_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX blocks_of_document ON blocks (doc_id);

-- Where a block stands in a version.
CREATE TABLE placements (
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  block_id TEXT NOT NULL REFERENCES blocks (block_id),
  section_path TEXT NOT NULL,
  page_first INTEGER,
  page_last INTEGER,
  PRIMARY KEY (document, ordinal)
) WITHOUT ROWID;
CREATE INDEX placements_of_block ON placements (block_id);

-- Passages of a version's blocks; `search_hash` is the hash of what is searched: title, section path and text.
CREATE TABLE passages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  block_id TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  search_hash TEXT NOT NULL
);
CREATE INDEX passages_of_document ON passages (document);
CREATE INDEX passages_by_hash ON passages (search_hash);

-- The passages of versions that were replaced, under the numbers that they had: searched only where a day in the past
-- is asked for.
CREATE TABLE replaced_passages (
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  block_id TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  search_hash TEXT NOT NULL
);
CREATE INDEX replaced_passages_of_document ON replaced_passages (document);
CREATE INDEX replaced_passages_by_hash ON replaced_passages (search_hash);

-- What the lexical analyser made of a searched text, so that neither an index nor a search analyses it again. Each domain
-- may have words of its own ('': of documents without a domain).
CREATE TABLE analyses (
  search_hash TEXT NOT NULL,
  domain TEXT NOT NULL,
  analyser TEXT NOT NULL,
  analysis TEXT NOT NULL,
  PRIMARY KEY (search_hash, domain)
) WITHOUT ROWID;

-- Vectors by the model that made them; `meta.vector_model` names the one that is searched with. Another model's are
-- there only while they are being made anew.
CREATE TABLE vectors (
  model TEXT NOT NULL,
  search_hash TEXT NOT NULL,
  vector BLOB NOT NULL,
  token_ids BLOB,
  token_weights BLOB,
  PRIMARY KEY (model, search_hash)
);
CREATE INDEX vectors_by_hash ON vectors (search_hash);

-- Other names that a document defines for things ("hereinafter", 以下简称), so that a question can use either.
CREATE TABLE aliases (
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  short TEXT NOT NULL,
  long TEXT NOT NULL,
  PRIMARY KEY (document, short, long)
) WITHOUT ROWID;

-- Digests of blocks that models wrote; those that rules make are made when they are needed.
CREATE TABLE digests (
  block_id TEXT PRIMARY KEY REFERENCES blocks (block_id) ON DELETE CASCADE,
  made_by TEXT NOT NULL,
  digest TEXT NOT NULL
) WITHOUT ROWID;

-- From which blocks relations were read, and by what.
CREATE TABLE graph_blocks (
  block_id TEXT NOT NULL REFERENCES blocks (block_id) ON DELETE CASCADE,
  made_by TEXT NOT NULL,
  PRIMARY KEY (block_id, made_by)
) WITHOUT ROWID;

-- What blocks state of entities; the keys are names in the form in which they are compared. They go with their block.
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

-- What is remembered of earlier questions: on whose behalf, who said it (`label`), and on which documents it rests.
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
