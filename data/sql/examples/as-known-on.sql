-- What was known on a day, with nothing that was filed later?
-- Change the day; the rows are of the newest slice up to it.
SELECT asked_date, source_date, ticker, period, debt, coins,
  stress_50pct, risk_tier, accession
FROM stress_as_of('2025-11-14')
WHERE coins > 0
ORDER BY coins DESC, ticker;
