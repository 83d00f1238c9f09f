-- The facts of the archive for analysts; every column has a comment.

CREATE OR REPLACE VIEW facts AS
SELECT
  e.cik,
  s.taxonomy,
  s.concept,
  s.unit,
  nullif(f.start_date, DATE '-infinity') AS start,
  f.end_date AS "end",
  f.value,
  x.value_exact,
  CASE WHEN f.accession >= 0 THEN internal.accession_text(f.accession) ELSE x.accession END AS accession,
  m.form,
  nullif(f.filed, DATE 'infinity') AS filed,
  nullif(f.fy, -1) AS fy,
  p.fp,
  r.frame
FROM internal.fact f
JOIN internal.fact_entity e ON e.cik_number = f.cik
JOIN internal.fact_series s ON s.series_id = f.series_id
JOIN internal.fact_form m ON m.form_id = f.form_id
JOIN internal.fact_fp p ON p.fp_id = f.fp_id
JOIN internal.fact_frame r ON r.frame_id = f.frame_id
LEFT JOIN internal.fact_exact x ON x.code = f.accession;

COMMENT ON VIEW facts IS 'Every fact of the SEC companyfacts archive, one row per reported value. Key: cik, taxonomy, concept, unit, start, end, accession';
COMMENT ON COLUMN facts.cik IS 'Central Index Key of the registrant, ten digits.';
COMMENT ON COLUMN facts.taxonomy IS 'Taxonomy of the concept: us-gaap, dei, ifrs-full, srt, …';
COMMENT ON COLUMN facts.concept IS 'Concept name without prefix.';
COMMENT ON COLUMN facts.unit IS 'Unit of the value: USD, shares, USD/shares, pure, …';
COMMENT ON COLUMN facts.start IS 'First day of the period; null for an instant.';
COMMENT ON COLUMN facts."end" IS 'Last day of the period, or the instant.';
COMMENT ON COLUMN facts.value IS 'The filed value as the nearest double.';
COMMENT ON COLUMN facts.value_exact IS 'The filed decimal in shortest form where value does not hold it, else null.';
COMMENT ON COLUMN facts.accession IS 'Accession number of the filing that reported the value.';
COMMENT ON COLUMN facts.form IS 'Form type of that filing.';
COMMENT ON COLUMN facts.filed IS 'Day the filing was filed; null when the archive does not say.';
COMMENT ON COLUMN facts.fy IS 'Fiscal year of the filing (not of the fact); null when EDGAR gives none.';
COMMENT ON COLUMN facts.fp IS 'Fiscal period of the filing (not of the fact): FY, Q1, Q2, Q3; null when none.';
COMMENT ON COLUMN facts.frame IS 'Calendar frame EDGAR assigns to one fact per period; moves between filings.';
