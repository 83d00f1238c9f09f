-- The filings in force of the registrants in temporary table asked(cik), from day $first to day $last, each with the
-- days it is in force: since and the day before until (METHODOLOGY M1.39, M10.3). In force on a day is the eligible
-- filing of the latest period known by then, of one period the latest acceptance, ties by accession: an amendment of an
-- older period displaces no newer report (M1.39b). One without a balance sheet is not eligible, so it never supersedes.
CREATE OR REPLACE TEMP TABLE vintage AS
WITH eligible AS (
  SELECT cik, accession, period, accepted_at, known_on AS seen
  FROM periodic_filing
  JOIN asked USING (cik)
  WHERE has_balance_sheet AND known_on <= $last::DATE
),
-- what newer periods' filings are passed over: only unusable files are at hand, or nothing but the list of submissions
-- tells of the report (METHODOLOGY M1.44c)
unread AS (
  SELECT p.cik, p.accession, p.period, p.accepted_at, p.known_on AS seen
  FROM periodic_filing p
  JOIN asked USING (cik)
  WHERE NOT p.has_balance_sheet AND p.period IS NOT NULL AND p.known_on <= $last::DATE
    AND (
      EXISTS (FROM filing_document d WHERE d.cik = p.cik AND d.accession = p.accession AND d.status = 'unusable')
      OR (regexp_full_match(p.form, '10-[KQS]T?|20-F|40-F')
        AND NOT (p.in_companyfacts OR p.in_instances OR p.in_folders))
    )
),
-- days before the first are one day: the last of them counts
known AS (
  SELECT cik, greatest(seen, $first::DATE) AS since, {period: period, accepted_at: accepted_at, accession: accession} AS filing,
    is_read
  FROM (SELECT *, true AS is_read FROM eligible UNION ALL SELECT *, false FROM unread)
),
-- what is in force, and the newest unread, on each day something became known
turn AS (
  SELECT DISTINCT cik, since, max(filing) FILTER (is_read) OVER by_day AS newest,
    max(filing) FILTER (NOT is_read) OVER by_day AS unread
  FROM known
  WINDOW by_day AS (PARTITION BY cik ORDER BY since)
),
in_force AS (
  SELECT cik, since, newest.accession AS accession, if(unread.period > newest.period, unread.accession, NULL) AS passed_over
  FROM turn
  WHERE newest IS NOT NULL
),
changed AS (
  FROM in_force
  QUALIFY (accession, passed_over) IS DISTINCT FROM lag((accession, passed_over)) OVER (PARTITION BY cik ORDER BY since)
),
held AS (
  SELECT *, lead(since, 1, DATE 'infinity') OVER (PARTITION BY cik ORDER BY since) AS until FROM changed
)
SELECT (row_number() OVER (ORDER BY h.cik, h.since))::INTEGER AS vintage, f.cik, f.cik::INTEGER AS cik_number,
  f.accession, f.accession_status, f.form, f.filed, f.accepted_at, f.acceptance_estimated, f.filing_date_statutory, f.period, h.since, h.until,
  h.passed_over,
  -- nothing of it is unusable: SEC has not published its figures yet
  h.passed_over IS NOT NULL AND NOT EXISTS (
    FROM filing_document d WHERE d.cik = h.cik AND d.accession = h.passed_over AND d.status = 'unusable'
  ) AS is_pending
FROM held h
JOIN periodic_filing f USING (cik, accession);
