-- Format 2: analyses in place of bare terms (made anew where they are missing), vectors by model, with sparse ones.
DROP TABLE terms;
CREATE TABLE analyses (
  search_hash TEXT PRIMARY KEY,
  analyser TEXT NOT NULL,
  analysis TEXT NOT NULL
) WITHOUT ROWID;
ALTER TABLE vectors RENAME TO vectors_1;
CREATE TABLE vectors (
  model TEXT NOT NULL,
  search_hash TEXT NOT NULL,
  vector BLOB NOT NULL,
  token_ids BLOB,
  token_weights BLOB,
  PRIMARY KEY (model, search_hash)
);
CREATE INDEX vectors_by_hash ON vectors (search_hash);
INSERT INTO vectors (model, search_hash, vector)
  SELECT (SELECT value FROM meta WHERE key = 'vector_model'), search_hash, vector FROM vectors_1
  WHERE EXISTS (SELECT 1 FROM meta WHERE key = 'vector_model');
DROP TABLE vectors_1;
CREATE TABLE aliases (
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  short TEXT NOT NULL,
  long TEXT NOT NULL,
  PRIMARY KEY (document, short, long)
) WITHOUT ROWID;UPDATE meta SET value = '2' WHERE key = 'format_version';
