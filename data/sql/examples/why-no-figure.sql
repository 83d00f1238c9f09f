-- For which issuers is there no proven ratio, and why?
-- One row a note that limits the row; proven: the part of debt and coins that is beyond doubt.
SELECT s.ticker, s.figures_basis, s.proven_debt, s.proven_crypto, s.risk_tier, n.note, n.detail, n.meaning
FROM stress s LEFT JOIN notes n USING (source_date, method_version, cik)
SEMI JOIN latest USING (source_date, method_version, cik)
WHERE s.figures_basis <> 'resolved'
ORDER BY s.ticker, n.note, n.detail;
