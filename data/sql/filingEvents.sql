-- Filing choreography of the newest slice, one row a filing known on its date (METHODOLOGY 7). Run in every build.

CREATE TABLE IF NOT EXISTS filing_event (
  source_date DATE NOT NULL,
  cik VARCHAR NOT NULL,
  position INTEGER NOT NULL,
  accession VARCHAR NOT NULL,
  form VARCHAR NOT NULL,
  family VARCHAR NOT NULL,
  label VARCHAR NOT NULL,
  filed DATE NOT NULL,
  accepted_at TIMESTAMP,
  first_seen_at DATE NOT NULL,
  items VARCHAR[] NOT NULL,
  file_number VARCHAR,
  confidence VARCHAR NOT NULL,
  sequence_id VARCHAR,
  sequence_step INTEGER,
  sequence_label VARCHAR,
  interpretation VARCHAR
);
