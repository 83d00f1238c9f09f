-- Renews periodic_filing for the registrants of temporary table renewed(cik): the union of submissions, instance
-- index, filing folders and companyfacts accessions, joined on (cik, accession) (METHODOLOGY M1.44, M1.45).

DELETE FROM periodic_filing WHERE cik IN (SELECT cik FROM renewed);

INSERT INTO periodic_filing
WITH
-- a filing with either total has a full balance sheet; a shell without assets files the second alone
balance_total(taxonomy, concept) AS (
  VALUES ('us-gaap', 'Assets'), ('us-gaap', 'LiabilitiesAndStockholdersEquity'), ('ifrs-full', 'Assets'),
    ('ifrs-full', 'EquityAndLiabilities')
),
-- first on the codes of the facts, which are small, then on text
coded AS (
  SELECT f.cik AS cik_number, f.accession AS code, f.form_id, max(f.filed) AS filed,
    list(DISTINCT f.end_date) FILTER (
      f.start_date = DATE '-infinity' AND f.series_id IN (
        SELECT series_id FROM fact_series JOIN balance_total USING (taxonomy, concept)
      )
    ) AS balance_dates
  FROM fact f
  WHERE f.cik IN (SELECT cik::INTEGER FROM renewed)
    AND f.form_id IN (SELECT form_id FROM fact_form WHERE regexp_full_match(form, '(10-[KQS]T?|20-F|40-F|6-K)(/A)?'))
  GROUP BY f.cik, f.accession, f.form_id
),
reported AS (
  SELECT lpad(c.cik_number::VARCHAR, 10, '0') AS cik,
    CASE WHEN c.code >= 0 THEN accession_text(c.code) ELSE x.accession END AS accession,
    min(m.form) AS form,
    -- the latest of differing dates, so that none leaks the future; infinite where the archive gives none
    nullif(max(c.filed), DATE 'infinity') AS filed,
    list_distinct(flatten(list(coalesce(c.balance_dates, [])))) AS balance_dates
  FROM coded c
  JOIN fact_form m USING (form_id)
  LEFT JOIN fact_exact x ON x.code = c.code
  GROUP BY ALL
),
submitted AS (
  SELECT cik, accession, min(form) AS form, max(filed) AS filed, max(accepted_at) AS accepted_at,
    arg_max(acceptance_basis, accepted_at) AS acceptance_basis, max(report_date) AS report_date, min(primary_document) AS primary_document
  FROM submission_filing
  WHERE cik IN (FROM renewed)
  GROUP BY cik, accession
),
extracted AS (
  SELECT cik, accession, min(accession_status) AS accession_status, min(form) AS form, max(filed) AS filed,
    bool_or(filed_estimated) AS filed_estimated, max(period) AS period, min(primary_document) AS primary_document
  FROM instance_filing
  WHERE cik IN (FROM renewed)
  GROUP BY cik, accession
),
-- a filing's own instance bears out its balance sheet as companyfacts does; nil says reported, no amount (M1.9)
instanced AS (
  SELECT cik, accession, list(DISTINCT end_date) AS balance_dates
  FROM instance_fact
  WHERE cik IN (FROM renewed) AND concept IN (SELECT taxonomy || ':' || concept FROM balance_total) AND start_date IS NULL
    AND len(dimensions) = 0
  GROUP BY cik, accession
),
stored AS (
  SELECT cik, accession, min(form) AS form, max(filed) AS filed, max(period) AS period, max(accepted_at) AS accepted_at
  FROM folder_filing
  WHERE cik IN (FROM renewed)
  GROUP BY cik, accession
),
dated AS (
  SELECT cik, accession, list_distinct(flatten(list(balance_dates))) AS balance_dates
  FROM (SELECT cik, accession, balance_dates FROM reported UNION ALL FROM instanced)
  GROUP BY cik, accession
),
candidate AS (
  SELECT cik, accession,
    coalesce(s.form, i.form, r.form, t.form) AS form,
    coalesce(s.filed, i.filed, r.filed, t.filed) AS filed,
    -- the header of the submission decides (M1.44d)
    coalesce(t.accepted_at, s.accepted_at) AS accepted_at,
    if(t.accepted_at IS NULL, s.acceptance_basis, 'header') AS acceptance_basis,
    r.filed AS facts_filed,
    s.filed IS NULL AND coalesce(i.filed_estimated, false) AS filed_estimated,
    coalesce(i.accession_status, if(starts_with(accession, '0000000000-'), 'placeholder', 'filed'))
      AS accession_status,
    -- the date the filer names, where the filing's own balance sheet bears it out; of other dates none after the filing day
    CASE
      WHEN list_contains(d.balance_dates, s.report_date) THEN s.report_date
      WHEN list_contains(d.balance_dates, i.period) THEN i.period
      WHEN list_contains(d.balance_dates, t.period) THEN t.period
      ELSE coalesce(
        list_max(list_filter(d.balance_dates, lambda day: day <= coalesce(s.filed, i.filed, r.filed, t.filed))),
        list_max(d.balance_dates)
      )
    END AS balance_sheet_date,
    coalesce(s.report_date, i.period, t.period) AS named_date,
    coalesce(s.primary_document, i.primary_document) AS primary_document,
    s.cik IS NOT NULL AS in_submissions,
    i.cik IS NOT NULL AS in_instances,
    t.cik IS NOT NULL AS in_folders,
    r.cik IS NOT NULL AS in_companyfacts
  FROM submitted s
  FULL JOIN extracted i USING (cik, accession)
  FULL JOIN reported r USING (cik, accession)
  FULL JOIN stored t USING (cik, accession)
  LEFT JOIN dated d USING (cik, accession)
),
placed AS (
  SELECT *, coalesce(balance_sheet_date, named_date) AS period,
    -- a filing date at or before the period end is impossible, an estimated one is no date of knowledge: both become
    -- the last day on which a filer is still in time, Rule 12b-25 included (METHODOLOGY M1.44b)
    filed_estimated OR filed <= coalesce(balance_sheet_date, named_date) AS is_statutory
  FROM candidate
),
known AS (
  SELECT * EXCLUDE (filed),
    CASE
      WHEN NOT coalesce(is_statutory, false) THEN filed
      WHEN form LIKE '10-Q%' OR form LIKE '10-S%' THEN period + 50
      WHEN form LIKE '20-F%' THEN (period + INTERVAL 4 MONTH)::DATE + 15
      WHEN form LIKE '6-K%' THEN period + 60
      ELSE period + 105
    END AS filed
  FROM placed
)
SELECT cik, accession, accession_status, form, filed,
  coalesce(accepted_at, filed + INTERVAL '1 day' - INTERVAL '1 second'),
  accepted_at IS NULL,
  acceptance_basis,
  greatest(filed, accepted_at::DATE),
  facts_filed,
  coalesce(is_statutory, false),
  period,
  balance_sheet_date IS NOT NULL,
  primary_document, in_submissions, in_instances, in_folders, in_companyfacts
FROM known
-- a filing without any filing date has no place in time
WHERE regexp_full_match(form, '(10-[KQS]T?|20-F|40-F|6-K)(/A)?') AND filed IS NOT NULL
ORDER BY cik, accepted_at, accession;
