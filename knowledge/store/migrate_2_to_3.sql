-- Format 3: versions that were replaced keep their passages from now on; what a parser noted; what a document replaces;
-- analyses by domain.
ALTER TABLE documents ADD COLUMN replaces TEXT NOT NULL DEFAULT '[]';
ALTER TABLE documents ADD COLUMN replaced_at TEXT;
ALTER TABLE documents ADD COLUMN parse_record TEXT;
ALTER TABLE documents ADD COLUMN statements TEXT;
CREATE INDEX documents_by_uri ON documents (source_uri) WHERE status = 'active';
UPDATE documents SET status = 'replaced', replaced_at =
  (SELECT n.updated_at FROM documents n WHERE n.doc_id = documents.doc_id AND n.id > documents.id ORDER BY n.id LIMIT 1)
  WHERE status = 'tombstone' AND EXISTS (SELECT 1 FROM placements p WHERE p.document = documents.id);
UPDATE documents SET title = name, doc_type = NULL, domain = NULL WHERE status = 'tombstone';
ALTER TABLE analyses RENAME TO analyses_2;
CREATE TABLE analyses (
  search_hash TEXT NOT NULL,
  domain TEXT NOT NULL,
  analyser TEXT NOT NULL,
  analysis TEXT NOT NULL,
  PRIMARY KEY (search_hash, domain)
) WITHOUT ROWID;
INSERT OR IGNORE INTO analyses
  SELECT a.search_hash, coalesce(d.domain, ''), a.analyser, a.analysis FROM analyses_2 a
  JOIN passages s ON s.search_hash = a.search_hash JOIN documents d ON d.id = s.document;
DROP TABLE analyses_2;
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
CREATE TABLE IF NOT EXISTS trace_filters (
  trace_id TEXT PRIMARY KEY REFERENCES traces (trace_id) ON DELETE CASCADE,
  filter TEXT NOT NULL
) WITHOUT ROWID;
UPDATE meta SET value = '3' WHERE key = 'format_version';
