-- Which issuers are worst off if their coins halve?
-- Debt over half the filed coins: 1.0 means that debt eats all that is left. live: coins at the night's closes.
-- Issuers with a tier: proven figures, coins that matter and more than a cost; the others follow in why-no-figure.
SELECT ticker, stress_50pct, live_stress_50pct, risk_tier, live_risk_tier, debt, coins, period, accession
FROM latest
WHERE risk_tier <> 'UNCLASSIFIED'
ORDER BY coalesce(live_stress_50pct, stress_50pct) DESC, ticker;
