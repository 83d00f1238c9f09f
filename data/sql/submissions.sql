-- Registrants and their filings out of the submissions archive.

CREATE TABLE IF NOT EXISTS submission_entity (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  sic VARCHAR,
  owner_org VARCHAR,
  entity_type VARCHAR,
  category VARCHAR,
  tickers VARCHAR[] NOT NULL,
  exchanges VARCHAR[] NOT NULL
);

CREATE TABLE IF NOT EXISTS submission_filing (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  form VARCHAR NOT NULL,
  filed DATE NOT NULL,
  -- UTC (METHODOLOGY M1.44d)
  accepted_at TIMESTAMP,
  report_date DATE,
  items VARCHAR,
  is_xbrl BOOLEAN,
  primary_document VARCHAR,
  file_number VARCHAR,
  document_description VARCHAR,
  acceptance_basis VARCHAR
);
