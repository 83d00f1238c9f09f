-- Filings that have a folder in the source.

-- form, filed, period and acceptance (UTC) from the SEC header of the filed text, where the folder has it
CREATE TABLE IF NOT EXISTS folder_filing (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  form VARCHAR,
  filed DATE,
  period DATE,
  accepted_at TIMESTAMP
);
