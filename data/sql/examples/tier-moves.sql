-- Who changed tier since the date before, and did figures or the way they were read move?
-- method_changed: the newer row was read another way, so the move may not be the issuer's.
WITH newest AS (
  -- of several method versions of a date
  SELECT * FROM stress
  QUALIFY rank() OVER (PARTITION BY source_date ORDER BY internal.method_order(method_version) DESC) = 1
), dated AS (
  SELECT ticker, source_date, risk_tier, stress_50pct, accession, method_changed,
    lag(risk_tier) OVER before AS tier_before, lag(stress_50pct) OVER before AS stress_before,
    lag(accession) OVER before AS accession_before, lag(source_date) OVER before AS date_before
  FROM newest
  WINDOW before AS (PARTITION BY cik ORDER BY source_date)
)
SELECT source_date, ticker, tier_before, risk_tier AS tier, stress_before, stress_50pct AS stress,
  accession IS DISTINCT FROM accession_before AS new_filing, method_changed, date_before, accession
FROM dated
WHERE risk_tier <> tier_before
ORDER BY source_date DESC, ticker;
