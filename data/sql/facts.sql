-- Facts of companyfacts.zip: typed columns and dictionary-coded strings; `factViews.sql` has the wide view.
-- Absent values are coded (start_date '-infinity', filed 'infinity', fy -1, dictionary row 0): validity masks cost a third
-- of the append. Read the view, not the tables.

CREATE TABLE IF NOT EXISTS fact_entity (cik_number INTEGER, cik VARCHAR, entity_name VARCHAR);
CREATE TABLE IF NOT EXISTS fact_series (series_id INTEGER, taxonomy VARCHAR, concept VARCHAR, unit VARCHAR);
CREATE TABLE IF NOT EXISTS fact_form (form_id INTEGER, form VARCHAR);
CREATE TABLE IF NOT EXISTS fact_fp (fp_id INTEGER, fp VARCHAR);
CREATE TABLE IF NOT EXISTS fact_frame (frame_id INTEGER, frame VARCHAR);
CREATE TABLE IF NOT EXISTS fact_exact (code BIGINT, accession VARCHAR, value_exact VARCHAR);

CREATE TABLE IF NOT EXISTS fact (
  accession BIGINT,
  value DOUBLE,
  cik INTEGER,
  series_id INTEGER,
  start_date DATE,
  end_date DATE,
  filed DATE,
  form_id INTEGER,
  fp_id INTEGER,
  frame_id INTEGER,
  fy SMALLINT
);
-- rows of changed files before they replace their predecessors; empty outside a run
CREATE TABLE IF NOT EXISTS fact_incoming AS FROM fact LIMIT 0;

-- one row: rows of fact appended since it was last in cik order
CREATE TABLE IF NOT EXISTS fact_order (rows_out_of_order BIGINT);

CREATE TABLE IF NOT EXISTS archive_entry (name VARCHAR, crc32 UINTEGER, size BIGINT);
CREATE TABLE IF NOT EXISTS quarantine (name VARCHAR, reason VARCHAR);
CREATE TABLE IF NOT EXISTS fact_change (
  cik VARCHAR,
  kind VARCHAR,
  taxonomy VARCHAR,
  concept VARCHAR,
  unit VARCHAR,
  start DATE,
  "end" DATE,
  accession VARCHAR,
  form VARCHAR,
  filed DATE,
  value_before DOUBLE,
  value_after DOUBLE,
  value_before_exact VARCHAR,
  value_after_exact VARCHAR,
  restated BOOLEAN,
  value_prior DOUBLE,
  value_prior_exact VARCHAR
);

-- the leading 1 keeps the zeros of 18 digits; lpad and || took a third longer. concat_ws makes '' of null, hence the if
CREATE OR REPLACE MACRO internal.accession_text(code) AS
  if(code IS NULL, NULL, concat_ws('-',
    substr((code + 1000000000000000000)::VARCHAR, 2, 10),
    substr((code + 1000000000000000000)::VARCHAR, 12, 2),
    substr((code + 1000000000000000000)::VARCHAR, 14, 6)));

COMMENT ON TABLE fact IS 'Physical rows behind facts; strings are codes of the fact_* dictionaries.';
COMMENT ON COLUMN fact.accession IS 'Accession digits as a number; negative: code of fact_exact.';
COMMENT ON COLUMN fact.value IS 'The filed value as the nearest double.';
COMMENT ON COLUMN fact.cik IS 'Central Index Key as a number.';
COMMENT ON COLUMN fact.series_id IS 'Row of fact_series.';
COMMENT ON COLUMN fact.start_date IS 'First day of the period; -infinity for an instant.';
COMMENT ON COLUMN fact.end_date IS 'Last day of the period, or the instant.';
COMMENT ON COLUMN fact.filed IS 'Day the filing was filed; infinity when unknown, so that no day comes after it.';
COMMENT ON COLUMN fact.form_id IS 'Row of fact_form.';
COMMENT ON COLUMN fact.fp_id IS 'Row of fact_fp; 0 when absent.';
COMMENT ON COLUMN fact.frame_id IS 'Row of fact_frame; 0 when absent.';
COMMENT ON COLUMN fact.fy IS 'Fiscal year of the filing; -1 when absent.';
COMMENT ON TABLE fact_incoming IS 'Rows of changed files during a run; empty otherwise.';
COMMENT ON TABLE fact_order IS 'How far fact is from cik order; beyond a fifth of its rows a run restores the order.';
COMMENT ON COLUMN fact_order.rows_out_of_order IS 'Rows appended since fact was last in cik order.';
COMMENT ON TABLE fact_entity IS 'Registrants with a companyfacts file.';
COMMENT ON COLUMN fact_entity.cik_number IS 'Central Index Key as a number.';
COMMENT ON COLUMN fact_entity.cik IS 'Central Index Key, ten digits.';
COMMENT ON COLUMN fact_entity.entity_name IS 'Name in the companyfacts file; null when the file gives none.';
COMMENT ON TABLE fact_series IS 'Dictionary of (taxonomy, concept, unit).';
COMMENT ON TABLE fact_form IS 'Dictionary of form types.';
COMMENT ON TABLE fact_fp IS 'Dictionary of fiscal periods; row 0 is absent.';
COMMENT ON TABLE fact_frame IS 'Dictionary of calendar frames; row 0 is absent.';
COMMENT ON TABLE fact_exact IS 'What the typed columns cannot hold: odd accession numbers and exact values.';
COMMENT ON COLUMN fact_exact.code IS 'Negative code in fact.accession.';
COMMENT ON COLUMN fact_exact.accession IS 'Accession number as filed.';
COMMENT ON COLUMN fact_exact.value_exact IS 'Filed decimal in shortest form; null where the double holds it.';
COMMENT ON TABLE archive_entry IS 'Entries of the last companyfacts archive whose rows the build holds.';
COMMENT ON COLUMN archive_entry.name IS 'Entry name, CIK##########.json.';
COMMENT ON COLUMN archive_entry.crc32 IS 'CRC-32 of the uncompressed entry.';
COMMENT ON COLUMN archive_entry.size IS 'Uncompressed size in bytes.';
COMMENT ON TABLE quarantine IS 'Entries the last run refused; their earlier rows, if any, are kept.';
COMMENT ON COLUMN quarantine.name IS 'Entry name, shortened and escaped where odd.';
COMMENT ON COLUMN quarantine.reason IS 'Why the entry was refused.';
COMMENT ON TABLE fact_change IS 'Fact-level differences of the last archive that differed from its predecessor (M6.1-M6.3); empty after a first build.';
COMMENT ON COLUMN fact_change.cik IS 'Central Index Key, ten digits.';
COMMENT ON COLUMN fact_change.kind IS 'added, removed, or revised (same key, other value).';
COMMENT ON COLUMN fact_change.taxonomy IS 'Taxonomy of the concept.';
COMMENT ON COLUMN fact_change.concept IS 'Concept name without prefix.';
COMMENT ON COLUMN fact_change.unit IS 'Unit of the value.';
COMMENT ON COLUMN fact_change.start IS 'First day of the period; null for an instant.';
COMMENT ON COLUMN fact_change."end" IS 'Last day of the period, or the instant.';
COMMENT ON COLUMN fact_change.accession IS 'Accession number of the filing.';
COMMENT ON COLUMN fact_change.form IS 'Form type of the filing.';
COMMENT ON COLUMN fact_change.filed IS 'Day the filing was filed; null when the archive does not say.';
COMMENT ON COLUMN fact_change.value_before IS 'Earlier value; null when added.';
COMMENT ON COLUMN fact_change.value_after IS 'Present value; null when removed.';
COMMENT ON COLUMN fact_change.value_before_exact IS 'Earlier exact decimal where the double does not hold it.';
COMMENT ON COLUMN fact_change.value_after_exact IS 'Present exact decimal where the double does not hold it.';
COMMENT ON COLUMN fact_change.restated IS 'True for an added row whose series (the key without accession) already held another value.';
COMMENT ON COLUMN fact_change.value_prior IS 'Newest earlier value of the series of an added row; null when there was none.';
COMMENT ON COLUMN fact_change.value_prior_exact IS 'That value as an exact decimal where the double does not hold it.';
