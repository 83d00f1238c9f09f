-- How did the issuers' stress and the market's pressure on bitcoin move together?
-- One row a slice: the median live stress of issuers with debt beside pressure and funding of BTC on that day.
WITH newest AS (
  -- issuers with a tier and debt, of several method versions of a date the newest
  SELECT * FROM stress WHERE risk_tier <> 'UNCLASSIFIED' AND debt > 0
  QUALIFY rank() OVER (PARTITION BY source_date ORDER BY internal.method_order(method_version) DESC) = 1
)
SELECT s.source_date, count(*) AS issuers, round(median(coalesce(s.live_stress_50pct, s.stress_50pct)), 4) AS median_stress,
  count(*) FILTER (coalesce(s.live_risk_tier, s.risk_tier) IN ('CRITICAL', 'HIGH')) AS high_or_critical,
  max(m.pressure) AS btc_pressure, max(m.funding_annualized) AS btc_funding_a_year
FROM newest s
LEFT JOIN market_factors m ON m.product = 'BTC-PERP-INTX' AND m.bucket_length = '1d' AND m.source_date = s.source_date
GROUP BY s.source_date
ORDER BY s.source_date DESC;
