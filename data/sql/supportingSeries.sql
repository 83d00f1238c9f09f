-- Accession codes of facts that are known later than they are filed (METHODOLOGY M10.2).
CREATE OR REPLACE TEMP TABLE late_code AS
WITH late AS (FROM internal.late_filings() SEMI JOIN asked USING (cik))
SELECT cik::INTEGER AS cik_number, try_cast(replace(accession, '-', '') AS BIGINT) AS code, known_on FROM late
UNION ALL
SELECT l.cik::INTEGER, x.code, l.known_on FROM late l JOIN fact_exact x USING (accession);

-- Series whose facts in other filings a resolver looks at: crypto facts dated period + 1 day (METHODOLOGY M2.6a) and
-- debt-activity flows that end in the year before the period (M1.37).
CREATE OR REPLACE TEMP TABLE supporting_series AS
SELECT series_id,
  if(concept = 'IndefiniteLivedIntangibleAssetsExcludingGoodwill' OR concept LIKE 'CryptoAsset%', 'crypto', 'activity')
    AS kind
FROM fact_series
WHERE taxonomy IN ('us-gaap', 'ifrs-full') AND (
  concept = 'IndefiniteLivedIntangibleAssetsExcludingGoodwill' OR concept LIKE 'CryptoAsset%' OR regexp_matches(
    concept, '^(InterestExpense|ProceedsFrom.*(Debt|Notes|Loans|LinesOfCredit)|RepaymentsOf|DebtInstrument)'));
