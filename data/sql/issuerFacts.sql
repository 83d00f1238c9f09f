-- Facts of the filings in temporary table in_force, and the supporting facts of other filings known on day $day:
-- crypto facts dated period + 1 day (METHODOLOGY M2.6a) and debt-activity flows that end in the year before the
-- period (M1.37). Strings stay dictionary codes.
WITH own_code AS (
  SELECT cik_number, replace(accession, '-', '')::BIGINT AS code, true AS own FROM in_force
  UNION ALL
  SELECT i.cik_number, x.code, true FROM in_force i JOIN fact_exact x ON x.accession = i.accession
),
crypto AS (
  SELECT series_id FROM fact_series
  WHERE taxonomy IN ('us-gaap', 'ifrs-full') AND (
    concept = 'IndefiniteLivedIntangibleAssetsExcludingGoodwill' OR concept LIKE 'CryptoAsset%')
),
activity AS (
  SELECT series_id FROM fact_series
  WHERE taxonomy IN ('us-gaap', 'ifrs-full') AND regexp_matches(
    concept, '^(InterestExpense|ProceedsFrom.*(Debt|Notes|Loans|LinesOfCredit)|RepaymentsOf|DebtInstrument)')
),
selected AS (
  SELECT f.*, o.own IS NOT NULL AS own
  FROM fact f
  JOIN in_force i ON i.cik_number = f.cik
  LEFT JOIN own_code o ON o.cik_number = f.cik AND o.code = f.accession
  WHERE f.filed <= $day::DATE AND (
    o.own IS NOT NULL
    OR (f.end_date = i.period + 1 AND f.series_id IN (FROM crypto))
    OR (f.end_date > i.period - INTERVAL '1 year' AND f.end_date <= i.period
      AND f.series_id IN (FROM activity))
  )
)
SELECT f.cik, f.own, f.series_id, f.value, x.value_exact,
  nullif(f.start_date, DATE '-infinity') AS start_date, f.end_date, f.filed, f.form_id,
  f.accession, x.accession AS odd_accession
FROM selected f
LEFT JOIN fact_exact x ON x.code = f.accession
JOIN fact_series s ON s.series_id = f.series_id
ORDER BY f.cik, s.taxonomy, s.concept, s.unit, f.end_date, f.start_date, f.filed, coalesce(x.accession, accession_text(f.accession));
