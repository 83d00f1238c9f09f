-- For each row published as proven by method $method, the first later filing that shows a balance sheet of its date, known
-- by day $last (METHODOLOGY M12.18), as temporary table vintage: the later filing, in the place of its own date that of the row.
CREATE OR REPLACE TEMP TABLE vintage AS
WITH first_row AS (
  SELECT cik, accession_number AS accession, period, source_date AS published_on, total_long_term_debt AS debt,
    total_crypto_fair_value AS coins
  FROM stress_row
  WHERE method_version = $method AND figures_basis <> 'both_unproven' AND source_date <= $last::DATE
  QUALIFY row_number() OVER (PARTITION BY cik, accession_number ORDER BY source_date) = 1
),
judged AS (
  SELECT cik, accession, max(amount) FILTER (figure = 'debt') AS debt, max(amount) FILTER (figure = 'coins') AS coins
  FROM record_row
  WHERE method_version = $method
  GROUP BY cik, accession
  HAVING bool_and(verdict <> 'open')
),
-- a figure that was made again and differs is judged again
published AS (
  SELECT f.*
  FROM first_row f
  LEFT JOIN judged j USING (cik, accession)
  WHERE j.cik IS NULL OR j.debt <> f.debt OR j.coins <> f.coins
),
-- both sides of the balance sheet add up to it; Assets alone stand among segments too
balance_total(taxonomy, concept) AS (
  VALUES ('us-gaap', 'LiabilitiesAndStockholdersEquity'), ('ifrs-full', 'EquityAndLiabilities')
),
shown AS (
  SELECT lpad(f.cik::VARCHAR, 10, '0') AS cik, coalesce(x.accession, accession_text(f.accession)) AS accession,
    f.end_date AS day
  FROM fact f
  LEFT JOIN fact_exact x ON x.code = f.accession
  WHERE f.start_date = DATE '-infinity' AND f.cik IN (SELECT cik::INTEGER FROM published)
    AND f.series_id IN (SELECT series_id FROM fact_series JOIN balance_total USING (taxonomy, concept))
  UNION
  SELECT cik, accession, end_date
  FROM instance_fact
  WHERE cik IN (SELECT cik FROM published) AND start_date IS NULL AND len(dimensions) = 0
    AND concept IN (SELECT taxonomy || ':' || concept FROM balance_total)
)
SELECT (row_number() OVER (ORDER BY p.cik, p.period, p.accession))::INTEGER AS vintage, b.cik, b.cik::INTEGER AS cik_number,
  b.accession, b.accession_status, b.form, b.filed, b.accepted_at, b.acceptance_estimated, b.filing_date_statutory,
  p.period, b.known_on AS since, DATE 'infinity' AS until, NULL::VARCHAR AS passed_over, false AS is_pending,
  p.accession AS published_accession, p.published_on
FROM published p
JOIN periodic_filing a USING (cik, accession)
JOIN periodic_filing b ON b.cik = p.cik AND b.accession <> p.accession AND b.period >= p.period AND b.has_balance_sheet
  AND (b.known_on, b.accepted_at, b.accession)
    > (a.known_on, a.accepted_at, a.accession)
  AND b.known_on <= $last::DATE
SEMI JOIN shown s ON s.cik = b.cik AND s.accession = b.accession AND s.day = p.period
QUALIFY row_number() OVER (PARTITION BY p.cik, p.accession
  ORDER BY b.known_on, b.accepted_at, b.accession) = 1;
