-- Whose balance sheet is oldest, and what has the issuer filed since?
-- Issuers whose coins are not incidental or not proven; filings after the balance-sheet date, none where no submissions are at hand.
WITH since AS (
  SELECT cik, count(*) AS filings_since, count(*) FILTER (e.form LIKE '8-K%') AS current_reports,
    max(e.filed) AS newest_filing
  FROM filing_events e JOIN latest l USING (cik)
  WHERE e.source_date = (SELECT max(source_date) FROM filing_events) AND e.filed > l.period
  GROUP BY cik
)
SELECT ticker, period, source_date - period AS days_old, form, risk_tier, filings_since, current_reports,
  newest_filing
FROM latest LEFT JOIN since USING (cik)
WHERE coins > 0 AND treasury_relevance <> 'incidental' OR figures_basis <> 'resolved'
ORDER BY days_old DESC, ticker;
