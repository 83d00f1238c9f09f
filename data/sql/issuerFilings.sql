-- The filing in force of each registrant in temporary table asked(cik) on day $day: the eligible filing with the
-- latest acceptance, ties by accession (METHODOLOGY M1.39, M10.3). An amendment without a balance sheet is not
-- eligible, so it never supersedes.
CREATE OR REPLACE TEMP TABLE in_force AS
SELECT f.cik, f.cik::INTEGER AS cik_number, f.accession, f.accession_status, f.form, f.filed, f.accepted_at,
  f.acceptance_estimated, f.period
FROM periodic_filing f
JOIN asked USING (cik)
WHERE f.has_balance_sheet AND f.filed <= $day::DATE AND f.accepted_at < $day::DATE + INTERVAL '1 day'
QUALIFY row_number() OVER (PARTITION BY f.cik ORDER BY f.accepted_at DESC, f.accession DESC) = 1;
