-- Which loans against coins are nearest to a margin call?
-- fall: of the coin's close, until the loan reaches its trigger; the terms are of as_of and may have changed since.
SELECT ticker, name AS loan, drawn, collateral_asset AS asset, collateral_units AS units, trigger_ltv, trigger_kind,
  margin_call_price AS call_price, coalesce(live_price_fall_to_call, price_fall_to_call) AS fall, as_of,
  days_since_as_of AS days_old, confidence, accession
FROM facilities
WHERE margin_call_price IS NOT NULL
QUALIFY rank() OVER (PARTITION BY cik ORDER BY source_date DESC) = 1
ORDER BY fall, ticker;
