-- Who looks safer than a reader finds who counts preferred stock as debt?
-- No tier rests on the second reading; issuers that filed no amount are left out, because it is not known.
SELECT ticker, stress_50pct, stress_50pct_with_preferred, preferred_stock, debt, coins, risk_tier, period, accession
FROM latest
WHERE preferred_stock > 0 AND stress_50pct_with_preferred IS NOT NULL
ORDER BY stress_50pct_with_preferred - stress_50pct DESC, ticker;
