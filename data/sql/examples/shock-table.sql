-- How does each ratio of debt to coins move from today to a fall of 30, 50 and 70 %?
-- As filed; the last column is the fall of coins at which debt equals them, none where it already does.
SELECT ticker, round(total_long_term_debt::DOUBLE / total_crypto_fair_value::DOUBLE, 4) AS today, stress_30pct,
  stress_50pct, stress_70pct,
  CASE WHEN total_long_term_debt < total_crypto_fair_value
    THEN round(1 - total_long_term_debt::DOUBLE / total_crypto_fair_value::DOUBLE, 4) END AS fall_to_parity
FROM stress SEMI JOIN latest USING (source_date, method_version, cik)
WHERE risk_tier <> 'UNCLASSIFIED' AND total_long_term_debt > 0
ORDER BY stress_50pct DESC, ticker;
