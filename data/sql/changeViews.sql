-- Views over the nightly differences. Run in every build, after changes.sql; every column has a comment.

CREATE OR REPLACE VIEW changes AS
SELECT scan_date, cik, kind, taxonomy, concept, unit, start, "end", accession, form, filed,
  value_before, value_after, value_before_exact, value_after_exact, restated, value_prior
FROM internal.scan_change
WHERE scan_date IS NOT NULL;

COMMENT ON VIEW changes IS 'Fact rows that differ between the scan of a night and the scan before it (METHODOLOGY M6.1, M6.2). Key: scan_date, cik, taxonomy, concept, unit, start, end, accession';
COMMENT ON COLUMN changes.scan_date IS 'First night that knew of the change: its archive showed it and it was filed by then';
COMMENT ON COLUMN changes.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN changes.kind IS 'added, removed or revised (same key, other value)';
COMMENT ON COLUMN changes.taxonomy IS 'Taxonomy prefix of the concept';
COMMENT ON COLUMN changes.concept IS 'Local name of the concept';
COMMENT ON COLUMN changes.unit IS 'Unit of measure as filed';
COMMENT ON COLUMN changes.start IS 'First day of a duration; null for an instant';
COMMENT ON COLUMN changes."end" IS 'Last day of the duration, or the instant';
COMMENT ON COLUMN changes.accession IS 'Accession number of the filing the fact belongs to';
COMMENT ON COLUMN changes.form IS 'Form type of that filing';
COMMENT ON COLUMN changes.filed IS 'Day that filing was filed; null when the archive does not say';
COMMENT ON COLUMN changes.value_before IS 'Value in the earlier archive; null when added';
COMMENT ON COLUMN changes.value_after IS 'Value in the later archive; null when removed';
COMMENT ON COLUMN changes.value_before_exact IS 'Earlier value in shortest decimal form where the double does not hold it';
COMMENT ON COLUMN changes.value_after_exact IS 'Later value in shortest decimal form where the double does not hold it';
COMMENT ON COLUMN changes.restated IS 'True for an added row whose series already held another value';
COMMENT ON COLUMN changes.value_prior IS 'Newest earlier value of the series of an added row';

-- shortest decimal form; a double beyond 15 digits keeps its exponent here, the artifact does not
CREATE OR REPLACE MACRO internal.decimal_text(value, exact) AS
  coalesce(exact, if(value = floor(value) AND abs(value) < 1e15, value::BIGINT::VARCHAR, value::VARCHAR));

CREATE OR REPLACE VIEW evidence AS
SELECT scan_date AS source_date, cik,
  row_number() OVER (
    PARTITION BY scan_date, cik
    ORDER BY taxonomy || ':' || concept, "end", accession, coalesce(start::VARCHAR, ''), unit, kind,
      internal.decimal_text(
        coalesce(value_after, value_before), if(kind = 'removed', value_before_exact, value_after_exact))
  ) - 1 AS "index",
  taxonomy || ':' || concept AS concept, unit, start, "end", accession, form, filed, kind, restated,
  coalesce(value_after, value_before) AS value,
  if(kind = 'removed', value_before_exact, value_after_exact) AS value_exact,
  coalesce(value_before, value_prior) AS value_was
FROM internal.scan_change
WHERE scan_date IS NOT NULL;

COMMENT ON VIEW evidence IS 'The rows behind the evidence lines of each night, in the order of the pages (METHODOLOGY M6.5). Key: source_date, cik, index';
COMMENT ON COLUMN evidence.source_date IS 'Night of the delta';
COMMENT ON COLUMN evidence.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN evidence."index" IS 'Position over the whole list of the registrant, from 0';
COMMENT ON COLUMN evidence.concept IS 'Concept with taxonomy prefix';
COMMENT ON COLUMN evidence.unit IS 'Unit of measure as filed';
COMMENT ON COLUMN evidence.start IS 'First day of a duration; null for an instant';
COMMENT ON COLUMN evidence."end" IS 'Last day of the duration, or the instant';
COMMENT ON COLUMN evidence.accession IS 'Accession number of the filing the fact belongs to';
COMMENT ON COLUMN evidence.form IS 'Form type of that filing';
COMMENT ON COLUMN evidence.filed IS 'Day that filing was filed; null when the archive does not say';
COMMENT ON COLUMN evidence.kind IS 'added (+), removed (-) or revised (~)';
COMMENT ON COLUMN evidence.restated IS 'True for an added row whose series already held another value';
COMMENT ON COLUMN evidence.value IS 'The value of the line as the nearest double; the earlier one for a removed row';
COMMENT ON COLUMN evidence.value_exact IS 'That value in shortest decimal form where the double does not hold it';
COMMENT ON COLUMN evidence.value_was IS 'The value it replaces: of the row when revised, of its series when added; null when there was none';

CREATE OR REPLACE VIEW daily_changes AS
SELECT r.source_date, r.cik, r.ticker, r.entity_name, r.list, r.issuer_class, r.pre_ipo_likelihood, r.delta_size,
  r.fact_changes, r.restated, r.meaningful_rows, r.crypto_rows, n.passed AS gate_passed, r.payload
FROM internal.daily_change_row r
LEFT JOIN internal.daily_change_night n USING (source_date);

COMMENT ON VIEW daily_changes IS 'Registrants whose facts differ between the scan of a night and the scan before it, computed nights only (METHODOLOGY 6). Key: source_date, cik';
COMMENT ON COLUMN daily_changes.source_date IS 'Night of the delta';
COMMENT ON COLUMN daily_changes.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN daily_changes.ticker IS 'Ticker; null for a registrant without one';
COMMENT ON COLUMN daily_changes.entity_name IS 'Name of the registrant';
COMMENT ON COLUMN daily_changes.list IS 'changed, or new for a registrant whose first facts came that night (M6.4)';
COMMENT ON COLUMN daily_changes.issuer_class IS 'Class by the first rule of M6.10 that holds';
COMMENT ON COLUMN daily_changes.pre_ipo_likelihood IS 'high, medium, low or none (M6.11); null without submissions';
COMMENT ON COLUMN daily_changes.delta_size IS 'Added, removed and revised fact rows (M6.3)';
COMMENT ON COLUMN daily_changes.fact_changes IS 'Distinct concepts among them';
COMMENT ON COLUMN daily_changes.restated IS 'Added rows whose series already held another value';
COMMENT ON COLUMN daily_changes.meaningful_rows IS 'Added or revised crypto, debt, cash and equity rows of an issuer of the universe (M6.6)';
COMMENT ON COLUMN daily_changes.crypto_rows IS 'Rows of the crypto family';
COMMENT ON COLUMN daily_changes.gate_passed IS 'True when the delta of the night passed the daily-change gate';
COMMENT ON COLUMN daily_changes.payload IS 'The published row, canonical JSON';

CREATE OR REPLACE VIEW scans AS
SELECT s.scan_date, s.status, s.baseline_date, s.entries, s.changed_files, s.new_files, s.removed_files, s.quarantined,
  s.total_facts, n.passed AS gate_passed, n.reasons AS gate_reasons, n.notes AS gate_notes
FROM internal.archive_scan s
LEFT JOIN internal.daily_change_night n ON n.source_date = s.scan_date
ORDER BY s.scan_date;

COMMENT ON VIEW scans IS 'Scans of the companyfacts archive and what the daily-change gate said of them (METHODOLOGY M6.4, M6.6). Key: scan_date';
COMMENT ON COLUMN scans.scan_date IS 'Night of the scan';
COMMENT ON COLUMN scans.status IS 'baseline, compared, incomplete (the archive lost files) or uncompared (read anew without an earlier one)';
COMMENT ON COLUMN scans.baseline_date IS 'Scan it was compared with; null when with none';
COMMENT ON COLUMN scans.entries IS 'Company files held after the scan';
COMMENT ON COLUMN scans.changed_files IS 'Company files with other bytes than in the scan before';
COMMENT ON COLUMN scans.new_files IS 'Company files that were not there before';
COMMENT ON COLUMN scans.removed_files IS 'Company files that are gone';
COMMENT ON COLUMN scans.quarantined IS 'Company files that could not be parsed';
COMMENT ON COLUMN scans.total_facts IS 'Fact rows of the changed and new files';
COMMENT ON COLUMN scans.gate_passed IS 'True when the delta passed the daily-change gate; null when the night was not computed';
COMMENT ON COLUMN scans.gate_reasons IS 'Tests of the gate that failed';
COMMENT ON COLUMN scans.gate_notes IS 'Tests of the gate that were not made';
