-- What was known when (METHODOLOGY M10.1, M10.6). Run in every build, after views.sql; every column has a comment.

CREATE OR REPLACE VIEW fact_vintages AS
SELECT cik, taxonomy, concept, unit, start, "end", filed, accession, form, value, value_exact,
  (row_number() OVER vintages)::INTEGER AS vintage,
  lead(filed) OVER vintages AS superseded_on,
  lag(value) OVER vintages AS value_before,
  vintage > 1 AND (value, value_exact) IS DISTINCT FROM (lag(value) OVER vintages, lag(value_exact) OVER vintages)
    AS is_restated
FROM facts
WINDOW vintages AS (PARTITION BY cik, taxonomy, concept, unit, start, "end" ORDER BY filed, accession, value);

COMMENT ON VIEW fact_vintages IS 'Every value ever filed for a concept and period, oldest first: restatements of a comparative are rows of their own and never overwrite (METHODOLOGY M10.3, M10.7). Key: cik, taxonomy, concept, unit, start, end, vintage';
COMMENT ON COLUMN fact_vintages.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN fact_vintages.taxonomy IS 'Taxonomy prefix of the concept';
COMMENT ON COLUMN fact_vintages.concept IS 'Local name of the concept';
COMMENT ON COLUMN fact_vintages.unit IS 'Unit of measure as filed';
COMMENT ON COLUMN fact_vintages.start IS 'First day of a duration; null for an instant';
COMMENT ON COLUMN fact_vintages."end" IS 'Last day of the duration, or the instant';
COMMENT ON COLUMN fact_vintages.filed IS 'Day the value was filed; facts_as_of() knows it once the filing is accepted';
COMMENT ON COLUMN fact_vintages.accession IS 'Accession number of the filing; unique only together with cik';
COMMENT ON COLUMN fact_vintages.form IS 'Form type of the filing';
COMMENT ON COLUMN fact_vintages.value IS 'The filed value as the nearest double';
COMMENT ON COLUMN fact_vintages.value_exact IS 'The filed digits where a double does not hold them';
COMMENT ON COLUMN fact_vintages.vintage IS 'Position among the values filed for the concept and period, from 1';
COMMENT ON COLUMN fact_vintages.superseded_on IS 'Day the next value was filed; null for the newest';
COMMENT ON COLUMN fact_vintages.value_before IS 'Value of the vintage before; null for the first';
COMMENT ON COLUMN fact_vintages.is_restated IS 'True when the value differs from the vintage before';

-- the slice that answers for a day that has none of its own: the greatest source_date up to it, both dates named
-- (METHODOLOGY M10.6)
CREATE OR REPLACE MACRO stress_as_of(d) AS TABLE
SELECT CAST(d AS DATE) AS asked_date, s.*
FROM stress s
-- of several method versions the newest answers (M10.4)
WHERE is_newest_method
  AND s.source_date = (SELECT max(source_date) FROM stress WHERE source_date <= CAST(d AS DATE));
COMMENT ON MACRO TABLE stress_as_of IS 'Stress rows of the newest slice up to day d; asked_date is d, source_date the date of the slice, and facts_as_of(source_date) has the facts they rest on';

CREATE OR REPLACE VIEW record AS
SELECT r.method_version, r.cik, r.ticker, u.entity_name, u.issuer_class, r.period, r.figure, r.verdict, r.finding, r.amount,
  r.later_amount, r.facts_compared, r.facts_changed, r.facts_absent, p.published_on, r.accession,
  internal.filing_url(r.cik, r.accession) AS filing_url, r.later_form, r.later_accession,
  internal.filing_url(r.cik, r.later_accession) AS later_filing_url, r.later_known_on
FROM internal.record_row r
LEFT JOIN internal.universe_issuer u USING (cik)
LEFT JOIN (
  SELECT method_version, cik, accession_number AS accession, min(source_date) AS published_on
  FROM internal.stress_row GROUP BY ALL) p USING (method_version, cik, accession)
ORDER BY r.ticker, r.period, r.figure;

COMMENT ON VIEW record IS 'Published as proven beside what the next filing shows for the same date, one row a figure and method version: confirmed says that the facts did not change and the comparatives add up, not that the concepts were right (METHODOLOGY M12.18). Key: method_version, cik, period, figure, accession';
COMMENT ON COLUMN record.figure IS 'debt or coins';
COMMENT ON COLUMN record.verdict IS 'confirmed; restated by the filer; contradicted: the filer changed nothing and the comparatives prove another amount; open: they prove none';
COMMENT ON COLUMN record.finding IS 'What was found, with the numbers';
COMMENT ON COLUMN record.amount IS 'As published, USD at period';
COMMENT ON COLUMN record.later_amount IS 'The same from the comparatives of the later filing; null where they prove none';
COMMENT ON COLUMN record.facts_compared IS 'Filed facts of the period behind the amount; 0 where none was found to add up';
COMMENT ON COLUMN record.facts_changed IS 'Those the later filing gives another value';
COMMENT ON COLUMN record.facts_absent IS 'Those the later filing does not show';
COMMENT ON COLUMN record.published_on IS 'First slice with the figure';
COMMENT ON COLUMN record.later_form IS 'Form of the first later filing with a balance sheet of that date';
COMMENT ON COLUMN record.later_accession IS 'Accession number of that filing; unique only together with cik';
COMMENT ON COLUMN record.later_filing_url IS 'Page of that filing at SEC EDGAR; null for a placeholder';
COMMENT ON COLUMN record.later_known_on IS 'Day that filing became known';
COMMENT ON COLUMN record.issuer_class IS 'Class of the registrant in the universe';
