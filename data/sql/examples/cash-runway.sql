-- How many months of operating outflow does the filed cash cover?
-- Outflow a month over the duration that was filed, which is a year to date in most 10-Q; none where operations bring cash in.
SELECT f.ticker, f.period, f.cash_and_equivalents AS cash, v."start" AS flow_from, v."end" AS flow_to,
  v.value AS cash_flow, round(datediff('day', v."start", v."end") / 30.4375) AS months,
  CASE WHEN v.value < 0 THEN round(f.cash_and_equivalents::DOUBLE
    / (-v.value / (datediff('day', v."start", v."end") / 30.4375)), 1) END AS months_of_cash
FROM fundamentals f
JOIN facts v ON v.cik = f.cik AND v.accession = f.accession AND v."end" = f.period
  AND v.concept = 'NetCashProvidedByUsedInOperatingActivities' AND v.unit = 'USD'
WHERE f.source_date = (SELECT max(source_date) FROM fundamentals)
QUALIFY row_number() OVER (PARTITION BY f.cik ORDER BY v."start") = 1
ORDER BY months_of_cash NULLS LAST, f.ticker;
