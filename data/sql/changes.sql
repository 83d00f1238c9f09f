-- What each scan of the companyfacts archive changed, night by night (METHODOLOGY 6). Run in every build, after facts.sql.
-- Rows with a null scan_date wait for the next scan: differences since the newest recorded one, from an archive that
-- lost files, from a night that was never published, while an older night is looked at again, or filed after the night.

CREATE TABLE IF NOT EXISTS archive_scan (
  scan_date DATE NOT NULL,
  status VARCHAR NOT NULL,
  baseline_date DATE,
  entries INTEGER NOT NULL,
  changed_files INTEGER NOT NULL,
  new_files INTEGER NOT NULL,
  removed_files INTEGER NOT NULL,
  quarantined INTEGER NOT NULL,
  total_facts BIGINT NOT NULL,
  digest VARCHAR NOT NULL
);

CREATE TABLE IF NOT EXISTS scan_file (
  scan_date DATE,
  name VARCHAR NOT NULL,
  crc_before UINTEGER,
  size_before BIGINT,
  crc_after UINTEGER,
  size_after BIGINT,
  entity_name VARCHAR
);

CREATE TABLE IF NOT EXISTS scan_change (
  scan_date DATE,
  cik VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  taxonomy VARCHAR NOT NULL,
  concept VARCHAR NOT NULL,
  unit VARCHAR NOT NULL,
  start DATE,
  "end" DATE NOT NULL,
  accession VARCHAR NOT NULL,
  form VARCHAR,
  filed DATE,
  value_before DOUBLE,
  value_after DOUBLE,
  value_before_exact VARCHAR,
  value_after_exact VARCHAR,
  restated BOOLEAN NOT NULL,
  value_prior DOUBLE,
  value_prior_exact VARCHAR
);

-- registrants of the deltas of computed nights, and what the daily-change gate said of each night
CREATE TABLE IF NOT EXISTS daily_change_row (
  source_date DATE NOT NULL,
  cik VARCHAR NOT NULL,
  list VARCHAR NOT NULL,
  entity_name VARCHAR NOT NULL,
  ticker VARCHAR,
  issuer_class VARCHAR,
  pre_ipo_likelihood VARCHAR,
  delta_size INTEGER NOT NULL,
  fact_changes INTEGER NOT NULL,
  restated INTEGER NOT NULL,
  meaningful_rows INTEGER NOT NULL,
  crypto_rows INTEGER NOT NULL,
  payload VARCHAR NOT NULL
);

CREATE TABLE IF NOT EXISTS daily_change_night (
  source_date DATE NOT NULL,
  passed BOOLEAN NOT NULL,
  reasons VARCHAR[] NOT NULL,
  notes VARCHAR[] NOT NULL,
  window_day VARCHAR NOT NULL
);

COMMENT ON TABLE archive_scan IS 'Scans of the companyfacts archive, one a night; behind view scans';
COMMENT ON TABLE scan_file IS 'Company files that differed from the scan before, by name, crc32 and size';
COMMENT ON TABLE scan_change IS 'Fact rows that differed from the scan before; behind views changes and evidence';
COMMENT ON TABLE daily_change_row IS 'Registrants of the deltas of computed nights; behind view daily_changes';
COMMENT ON TABLE daily_change_night IS 'What the daily-change gate said of computed nights; behind view scans';
