-- Records of runs: what was asked, what was answered, and every step with the replies of models. `answer` and `steps`
-- are JSON that this layer does not read.
CREATE TABLE IF NOT EXISTS traces (
  trace_id TEXT PRIMARY KEY,
  started_at TEXT NOT NULL,
  question TEXT NOT NULL,
  status TEXT NOT NULL,
  route TEXT NOT NULL,
  stop_rule TEXT NOT NULL,
  seconds REAL NOT NULL,
  tokens INTEGER NOT NULL,
  model_calls INTEGER NOT NULL,
  library_version INTEGER NOT NULL,
  is_owner INTEGER NOT NULL,
  readers TEXT NOT NULL,
  routes TEXT NOT NULL,
  context_window INTEGER NOT NULL,
  answer TEXT NOT NULL,
  steps TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS traces_by_time ON traces (started_at);

-- What bounded the searches of a run, as JSON; no row: nothing did.
CREATE TABLE IF NOT EXISTS trace_filters (
  trace_id TEXT PRIMARY KEY REFERENCES traces (trace_id) ON DELETE CASCADE,
  filter TEXT NOT NULL
) WITHOUT ROWID;

-- The documents whose text a run has seen: a trace is shown only to who may read them all, and goes with any of them.
CREATE TABLE IF NOT EXISTS trace_documents (
  trace_id TEXT NOT NULL REFERENCES traces (trace_id) ON DELETE CASCADE,
  doc_id TEXT NOT NULL,
  PRIMARY KEY (trace_id, doc_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS traces_of_document ON trace_documents (doc_id);
