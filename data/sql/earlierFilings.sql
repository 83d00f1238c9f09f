-- Filings of the issuers in temporary table in_force that were known with the filing in force and are of an earlier
-- period, newest first, into temporary table earlier_filing: terms of a note that the newer one does not state again are
-- read there (METHODOLOGY M18.90). A note seldom runs longer than the filings of five years.
CREATE OR REPLACE TEMP TABLE earlier_filing AS
SELECT i.vintage, p.cik, p.accession, p.period,
  row_number() OVER (PARTITION BY i.vintage ORDER BY p.period DESC, p.accepted_at DESC, p.accession DESC)::INTEGER AS place
FROM in_force i
JOIN periodic_filing p ON p.cik = i.cik AND p.period < i.period AND p.accepted_at <= i.accepted_at
SEMI JOIN xbrl_filing x ON x.cik = p.cik AND x.accession = p.accession
WHERE p.has_balance_sheet
QUALIFY place <= 20;
