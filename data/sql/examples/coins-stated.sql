-- How many coins do issuers state in reports newer than their balance sheets?
-- Change the day. Stated coins beside those of the balance sheet in force; difference is what the stock before it and stated flows leave unexplained, and no row says nothing of an issuer.
SELECT u.ticker, u.asset, u.units AS stated, u.as_of, u.asked_date - u.as_of AS age_days, u.verdict, u.difference,
  c.units AS filed, c.units_basis, s.period, u.accession
FROM units_as_of('2026-02-07') u
LEFT JOIN stress_as_of('2026-02-07') s USING (cik)
LEFT JOIN coins c ON c.cik = u.cik AND c.asset = u.asset AND c.source_date = s.source_date AND c.method_version = s.method_version
WHERE s.period IS NULL OR u.as_of > s.period
ORDER BY u.ticker, u.asset;
