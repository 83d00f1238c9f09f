-- Facts of the vintages in temporary table in_force, own and supporting, as known on the first day of each, into
-- temporary table vintage_fact (METHODOLOGY M2.6a, M1.37, M10.2).
CREATE OR REPLACE TEMP TABLE vintage_fact AS
WITH own_code AS (
  SELECT vintage, cik_number, since, replace(accession, '-', '')::BIGINT AS code FROM in_force
  UNION ALL
  SELECT i.vintage, i.cik_number, i.since, x.code
  FROM in_force i JOIN fact_exact x ON x.accession = i.accession
)
SELECT o.vintage, true AS own, f.series_id, f.value, f.start_date, f.end_date, f.filed, f.form_id,
  f.accession AS code
FROM fact f
JOIN own_code o ON o.cik_number = f.cik AND o.code = f.accession AND f.filed <= o.since
UNION ALL
SELECT i.vintage, false, f.series_id, f.value, f.start_date, f.end_date, f.filed, f.form_id, f.accession
FROM fact f
JOIN supporting_series s USING (series_id)
JOIN in_force i ON i.cik_number = f.cik AND f.filed <= i.since
  AND CASE s.kind
    WHEN 'crypto' THEN f.end_date = i.period + 1
    ELSE f.end_date > i.period - INTERVAL '1 year' AND f.end_date <= i.period
  END
ANTI JOIN own_code o ON o.vintage = i.vintage AND o.code = f.accession
ANTI JOIN late_code l ON l.cik_number = f.cik AND l.code = f.accession AND l.known_on > i.since;
