-- How does each ratio of debt to coins move from today to a fall of 30, 50 and 70 %?
-- As filed; the last column is the fall of coins at which debt equals them, none where it already does.
SELECT ticker, round(debt::DOUBLE / coins::DOUBLE, 4) AS today, stress_30pct,
  stress_50pct, stress_70pct,
  CASE WHEN debt < coins
    THEN round(1 - debt::DOUBLE / coins::DOUBLE, 4) END AS fall_to_parity
FROM stress SEMI JOIN latest USING (source_date, method_version, cik)
WHERE risk_tier <> 'UNCLASSIFIED' AND debt > 0
ORDER BY stress_50pct DESC, ticker;
