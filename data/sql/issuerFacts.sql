-- Facts of the filings in temporary table in_force, and the supporting facts of other filings known on day $day:
-- crypto facts dated period + 1 day (METHODOLOGY M2.6a) and debt-activity flows that end in the year before the
-- period (M1.37). Strings stay dictionary codes and dates day numbers; the order does not depend on the codes.
WITH own_code AS (
  SELECT cik_number, replace(accession, '-', '')::BIGINT AS code FROM in_force
  UNION ALL
  SELECT i.cik_number, x.code FROM in_force i JOIN fact_exact x ON x.accession = i.accession
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
  SELECT f.*, true AS own
  FROM fact f
  JOIN own_code o ON o.cik_number = f.cik AND o.code = f.accession
  UNION ALL
  SELECT f.*, false
  FROM fact f
  JOIN in_force i ON i.cik_number = f.cik AND f.end_date = i.period + 1
  JOIN crypto USING (series_id)
  ANTI JOIN own_code o ON o.cik_number = f.cik AND o.code = f.accession
  UNION ALL
  SELECT f.*, false
  FROM fact f
  JOIN activity USING (series_id)
  JOIN in_force i ON i.cik_number = f.cik
    AND f.end_date > i.period - INTERVAL '1 year' AND f.end_date <= i.period
  ANTI JOIN own_code o ON o.cik_number = f.cik AND o.code = f.accession
),
ranked AS (
  SELECT series_id, row_number() OVER (ORDER BY taxonomy, concept, unit) AS rank FROM fact_series
)
SELECT f.cik, f.own, f.series_id, f.value, x.value_exact,
  if(f.start_date = DATE '-infinity', NULL, date_diff('day', DATE '1970-01-01', f.start_date))::INTEGER AS start_day,
  date_diff('day', DATE '1970-01-01', f.end_date)::INTEGER AS end_day,
  date_diff('day', DATE '1970-01-01', f.filed)::INTEGER AS filed_day,
  f.form_id,
  if(f.own, NULL, coalesce(x.accession, accession_text(f.accession))) AS accession
FROM selected f
JOIN ranked USING (series_id)
LEFT JOIN fact_exact x ON x.code = f.accession
WHERE f.filed <= $day::DATE
ORDER BY f.cik, ranked.rank, f.end_date, f.start_date, f.filed,
  coalesce(try_cast(replace(x.accession, '-', '') AS BIGINT), f.accession);
