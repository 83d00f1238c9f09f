-- Which chains of filings, such as a shelf and the draws on it, are under way?
-- One row a chain with filings of the last year: where it began, its last step, and how it is read.
SELECT i.ticker, e.sequence_label AS chain, count(*) AS steps, min(e.filed) AS began, max(e.filed) AS newest,
  arg_max(e.form, e.sequence_step) AS last_form, arg_max(e.label, e.sequence_step) AS last_step,
  arg_max(e.confidence, e.sequence_step) AS confidence
FROM filing_events e JOIN issuers i USING (cik)
WHERE e.source_date = (SELECT max(source_date) FROM filing_events) AND e.sequence_id IS NOT NULL
GROUP BY i.ticker, e.sequence_id, e.sequence_label
HAVING max(e.filed) >= (SELECT max(source_date) FROM filing_events) - INTERVAL 1 YEAR
ORDER BY newest DESC, i.ticker, chain;
