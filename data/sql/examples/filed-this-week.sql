-- What did a company file in the last seven days (--set ticker=MSTR)?
-- Counted from the newest slice, over the list of its filings and the current reports that were read. Without one, a row says
-- since when there is none, or that no filing of the company was read, which is not the same.
WITH day AS (SELECT max(source_date) AS up_to FROM stress),
asked AS (
  SELECT a.ticker, i.cik FROM (SELECT upper(coalesce(getvariable('ticker'), 'MSTR')) AS ticker) a LEFT JOIN issuers i USING (ticker)
),
listed AS (
  SELECT DISTINCT cik, filed, form, label, items, accession, filing_url FROM filing_events
  WHERE source_date = (SELECT max(source_date) FROM filing_events)
),
known AS (
  FROM listed
  UNION ALL
  SELECT cik, filed, form, 'Current report: states ' || string_agg(DISTINCT kind, ', ' ORDER BY kind), list(DISTINCT item) FILTER (item <> ''),
    accession, filing_url
  FROM coin_events ANTI JOIN listed USING (cik, accession)
  WHERE known_on <= (SELECT up_to FROM day)
  GROUP BY ALL
),
-- the week, and of a company without one in it the newest before
newest AS (SELECT cik, max(filed) AS last_filed FROM known GROUP BY cik)
SELECT a.ticker, d.up_to, k.filed, k.form, CASE WHEN k.accession IS NOT NULL THEN k.label
    WHEN a.cik IS NULL THEN 'no such company in the universe'
    WHEN n.cik IS NULL THEN 'no list of its filings was read' ELSE 'nothing since ' || n.last_filed END AS label,
  k.items, k.accession, k.filing_url
FROM asked a CROSS JOIN day d
LEFT JOIN newest n ON n.cik = a.cik
LEFT JOIN known k ON k.cik = a.cik AND k.filed > d.up_to - 7
ORDER BY k.filed DESC, k.accession;
