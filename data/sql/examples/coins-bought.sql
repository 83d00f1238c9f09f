-- What did an issuer buy or sell this month, and does it add up (--set ticker=MSTR)?
-- One row a statement of the five weeks up to the newest slice with its quote; a stock also has the one before it, the flows stated since and what they leave unexplained: proven is 0, a gap is coins that no report read explains.
SELECT e.kind, e.asset, e.units, e.period_from, e.period_to, e.usd, e.avg_price, e.confidence, e.verdict, h.previous_as_of,
  h.previous_units, h.net_flows, h.difference, e.accession, e.document_type, e.block, left(e.quote, 50) AS quote
FROM coin_events e
LEFT JOIN holdings_statements h ON e.kind = 'holdings' AND h.cik = e.cik AND h.asset = e.asset AND h.as_of = e.period_to
WHERE e.ticker = upper(coalesce(getvariable('ticker'), 'MSTR')) AND e.kind IN ('purchase', 'sale', 'holdings')
  AND e.period_to > (SELECT max(source_date) FROM stress) - 35 AND e.known_on <= (SELECT max(source_date) FROM stress)
ORDER BY e.period_to DESC, e.kind, e.accession;
