-- Preferred stock by filing and balance-sheet date: the amount among equity, with the paid-in capital where it is filed so,
-- and the redeemable part between debt and equity. The redeemable shares of a blank-check company, which holds assets in
-- trust for them, are common stock. Runs after the facts of a build are read.

DELETE FROM preferred_stock;

INSERT INTO preferred_stock BY NAME
WITH filed AS (
  SELECT f.cik AS cik_number, f.accession AS code, f.end_date AS period, s.concept, max(f.value) AS value
  FROM fact f
  JOIN fact_series s ON s.series_id = f.series_id
  WHERE s.taxonomy = 'us-gaap' AND s.unit = 'USD' AND f.start_date = DATE '-infinity' AND s.concept IN (
    'PreferredStockIncludingAdditionalPaidInCapitalNetOfDiscount', 'PreferredStockIncludingAdditionalPaidInCapital',
    'PreferredStockValueOutstanding', 'PreferredStockValue', 'TemporaryEquityCarryingAmountAttributableToParent',
    'AssetsHeldInTrust', 'AssetsHeldInTrustCurrent', 'AssetsHeldInTrustNoncurrent')
  GROUP BY ALL
),
sides AS (
  SELECT cik_number, code, period,
    coalesce(
      max(value) FILTER (concept = 'PreferredStockIncludingAdditionalPaidInCapitalNetOfDiscount'),
      max(value) FILTER (concept = 'PreferredStockIncludingAdditionalPaidInCapital'),
      max(value) FILTER (concept = 'PreferredStockValueOutstanding'),
      max(value) FILTER (concept = 'PreferredStockValue')) AS permanent,
    if(coalesce(max(value) FILTER (starts_with(concept, 'AssetsHeldInTrust')), 0) > 0, NULL,
      max(value) FILTER (concept = 'TemporaryEquityCarryingAmountAttributableToParent')) AS redeemable
  FROM filed
  GROUP BY ALL
)
SELECT e.cik, if(code >= 0, internal.accession_text(code), x.accession) AS accession, period,
  coalesce(permanent, 0) + coalesce(redeemable, 0) AS amount
FROM sides
JOIN fact_entity e USING (cik_number)
LEFT JOIN fact_exact x USING (code)
WHERE if(code >= 0, internal.accession_text(code), x.accession) IS NOT NULL
  AND coalesce(permanent, redeemable) IS NOT NULL;
