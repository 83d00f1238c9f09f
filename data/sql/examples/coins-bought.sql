-- What did Strategy buy this month, and does it add up?
-- Change ticker and day. One row a statement of the last 31 days with its words; verdict says whether bought coins explain the stock: proven, rounded, or a gap of units no report at hand explains.
SELECT kind, asset, units, period_from, period_to, usd, avg_price, confidence, verdict, accession, document_type, block,
  left(quote, 80) AS quote
FROM coin_events
WHERE ticker = 'MSTR' AND kind IN ('purchase', 'sale', 'holdings')
  AND period_to > DATE '2026-02-07' - 31 AND known_from <= DATE '2026-02-07'
ORDER BY period_to DESC, kind, accession;
