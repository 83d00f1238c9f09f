-- Splits temporary table vintage where a fact of the issuer that a resolver looks at became known while its filing was
-- in force: the vintages that remain read the same facts on each of their days (METHODOLOGY M2.6a, M1.37, M10.2).
CREATE OR REPLACE TEMP TABLE vintage AS
WITH late AS (
  SELECT DISTINCT v.vintage, f.since
  FROM (
    SELECT accession, cik, series_id, end_date, filed AS since FROM fact
    UNION ALL
    SELECT f.accession, f.cik, f.series_id, f.end_date, l.known_on
    FROM late_code l JOIN fact f ON f.cik = l.cik_number AND f.accession = l.code
  ) f
  JOIN vintage v ON v.cik_number = f.cik AND f.since > v.since AND f.since < v.until AND f.since <= $last::DATE
    AND f.end_date > v.period - INTERVAL '1 year'
  LEFT JOIN fact_exact x ON x.code = f.accession
  LEFT JOIN supporting_series s USING (series_id)
  WHERE CASE s.kind
    WHEN 'crypto' THEN f.end_date = v.period + 1
    WHEN 'activity' THEN f.end_date <= v.period
    ELSE false
  END OR coalesce(x.accession, accession_text(f.accession)) = v.accession
),
start AS (
  SELECT vintage, since FROM vintage UNION SELECT vintage, since FROM late
)
SELECT (row_number() OVER (ORDER BY v.cik, s.since))::INTEGER AS vintage, v.* EXCLUDE (vintage, since, until),
  s.since, lead(s.since, 1, v.until) OVER (PARTITION BY s.vintage ORDER BY s.since) AS until
FROM start s
JOIN vintage v USING (vintage);
