-- The index of extracted instances.

CREATE TABLE IF NOT EXISTS instance_filing (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  accession_status VARCHAR,
  form VARCHAR NOT NULL,
  period DATE,
  filed DATE,
  -- the source calls its date an estimate (METHODOLOGY M1.44b)
  filed_estimated BOOLEAN,
  file VARCHAR NOT NULL,
  primary_document VARCHAR
);
