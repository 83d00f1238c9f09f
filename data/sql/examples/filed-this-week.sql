-- What did a company file in the last seven days (--set ticker=MSTR)?
-- Counted from the newest slice; a company without a filing has one row that says so.
WITH day AS (SELECT max(source_date) AS source_date FROM filing_events),
asked AS (SELECT cik, ticker FROM issuers WHERE ticker = upper(coalesce(getvariable('ticker'), 'MSTR')))
SELECT a.ticker, d.source_date AS up_to, e.filed, e.form, coalesce(e.label, 'nothing filed in seven days') AS label, e.items,
  e.accession, e.filing_url
FROM asked a CROSS JOIN day d
LEFT JOIN filing_events e ON e.cik = a.cik AND e.source_date = d.source_date AND e.filed > d.source_date - 7
ORDER BY e.filed DESC, e.accession;
