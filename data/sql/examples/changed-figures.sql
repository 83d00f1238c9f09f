-- Which figures on coins, debt, cash and equity were new last night, and from which filing?
-- The newest balance sheet of each issuer; before: the same concept at the issuer's previous balance-sheet date.
WITH added AS (
  SELECT i.ticker, c.*
  FROM changes c JOIN issuers i USING (cik)
  WHERE c.scan_date = (SELECT max(scan_date) FROM scans) AND c.unit = 'USD' AND c.start IS NULL
    AND c.value_after IS NOT NULL AND regexp_matches(c.concept, '^(CryptoAssetFairValue|LongTermDebt|ConvertibleNotes'
      '|NotesPayable|DebtCurrent|StockholdersEquity$|CashAndCashEquivalentsAt)')
  QUALIFY c."end" = max(c."end") OVER (PARTITION BY i.ticker)
)
SELECT a.ticker, a.concept, a."end" AS as_of, a.value_after AS value, max_by(f.value, (f."end", f.filed)) AS before,
  max(f."end") AS before_as_of, a.form, a.accession
FROM added a
LEFT JOIN facts f ON f.cik = a.cik AND f.taxonomy = a.taxonomy AND f.concept = a.concept AND f.unit = a.unit
  AND f.start IS NULL AND f."end" < a."end"
GROUP BY ALL
ORDER BY a.ticker, a.concept, a.accession;
