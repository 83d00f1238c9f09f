-- How much do issuers owe net of cash, with preferred stock counted as debt?
-- net_debt_to_coins: debt less cash over filed coins, negative is net cash; beside it the same, and the ratio after a fall of
-- half, with preferred stock as debt. No tier rests on it; an issuer that filed no amount has no row, because it is not known.
SELECT ticker, net_debt_to_coins, round(net_debt_to_coins + preferred_stock / coins::DOUBLE, 6) AS net_with_preferred,
  stress_50pct, stress_50pct_with_preferred, preferred_stock, debt, coins, risk_tier, period, accession
FROM latest
WHERE preferred_stock > 0 AND stress_50pct_with_preferred IS NOT NULL
ORDER BY net_with_preferred DESC, ticker;
