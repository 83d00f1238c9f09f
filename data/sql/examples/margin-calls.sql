-- Which loans against coins are nearest to a margin call?
-- fall: of the coin's close of close_of, until the loan reaches its trigger, negative where it is past it; debt and coins
-- are of as_of and may have changed since.
SELECT ticker, name AS loan, drawn, collateral_asset AS asset, collateral_units AS units, trigger_ltv, trigger_kind,
  margin_call_price AS call_price, coalesce(live_price_fall_to_call, price_fall_to_call) AS fall,
  CASE WHEN live_price_fall_to_call IS NULL THEN as_of ELSE price_date END AS close_of, as_of,
  days_since_as_of AS days_old, confidence, accession
FROM facilities
WHERE margin_call_price IS NOT NULL AND source_date = (SELECT max(source_date) FROM stress)
ORDER BY fall, ticker;
