-- The filings in force of the registrants in temporary table asked(cik), from day $first to day $last, each with the
-- days it is in force: since and the day before until (METHODOLOGY M1.39, M10.3). In force on a day is the eligible
-- filing of the latest period known by then, of one period the latest acceptance, ties by accession: an amendment of an
-- older period displaces no newer report (M1.39b). One without a balance sheet is not eligible, so it never supersedes.
CREATE OR REPLACE TEMP TABLE vintage AS
WITH eligible AS (
  SELECT cik, accession, period, accepted_at, greatest(filed, accepted_at::DATE) AS seen
  FROM periodic_filing
  JOIN asked USING (cik)
  WHERE has_balance_sheet AND greatest(filed, accepted_at::DATE) <= $last::DATE
),
-- what is in force on each day something became known
turn AS (
  SELECT DISTINCT cik, greatest(seen, $first::DATE) AS since,
    -- days before the first are one day: the last of them counts
    arg_max({accession: accession}, (period, accepted_at, accession))
      OVER (PARTITION BY cik ORDER BY greatest(seen, $first::DATE)).accession AS accession
  FROM eligible
),
changed AS (
  SELECT cik, since, accession FROM turn
  QUALIFY accession IS DISTINCT FROM lag(accession) OVER (PARTITION BY cik ORDER BY since)
),
held AS (
  SELECT cik, accession, since, lead(since, 1, DATE 'infinity') OVER (PARTITION BY cik ORDER BY since) AS until
  FROM changed
)
SELECT (row_number() OVER (ORDER BY h.cik, h.since))::INTEGER AS vintage, f.cik, f.cik::INTEGER AS cik_number,
  f.accession, f.accession_status, f.form, f.filed, f.accepted_at, f.acceptance_estimated, f.filing_date_statutory, f.period, h.since, h.until,
  -- a newer filing that nothing but unusable files tells of (METHODOLOGY M1.44c)
  (SELECT arg_max(p.accession, (p.period, p.accepted_at, p.accession)) FROM periodic_filing p
    WHERE p.cik = f.cik AND NOT p.has_balance_sheet AND p.period > f.period
      AND greatest(p.filed, p.accepted_at::DATE) <= h.since
      AND EXISTS (FROM filing_document d WHERE d.cik = p.cik AND d.accession = p.accession AND d.status = 'unusable')
  ) AS passed_over
FROM held h
JOIN periodic_filing f USING (cik, accession);
