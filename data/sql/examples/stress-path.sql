-- How did an issuer's stress move over the nights, and with which filing in force (--set ticker=RIOT)?
-- Debt and coins are those of the filing then in force, never of a later one.
WITH asked AS (SELECT upper(coalesce(getvariable('ticker'), 'RIOT')) AS ticker)
SELECT source_date, period, form, debt, coins,
  stress_50pct, live_stress_50pct, risk_tier, figures_basis, accession
FROM stress SEMI JOIN asked USING (ticker)
-- of several method versions of a date the newest
QUALIFY rank() OVER (PARTITION BY source_date ORDER BY internal.method_order(method_version) DESC) = 1
ORDER BY source_date;
