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

COMMENT ON VIEW fact_vintages IS 'Every value ever filed for a concept and period, oldest first: restatements of a comparative are rows of their own and never overwrite (METHODOLOGY M10.3, M10.7)';
COMMENT ON COLUMN fact_vintages.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN fact_vintages.taxonomy IS 'Taxonomy prefix of the concept';
COMMENT ON COLUMN fact_vintages.concept IS 'Local name of the concept';
COMMENT ON COLUMN fact_vintages.unit IS 'Unit of measure as filed';
COMMENT ON COLUMN fact_vintages.start IS 'First day of a duration; null for an instant';
COMMENT ON COLUMN fact_vintages."end" IS 'Last day of the duration, or the instant';
COMMENT ON COLUMN fact_vintages.filed IS 'Day the value was filed; it is known from then on';
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
WHERE s.source_date = (SELECT max(source_date) FROM stress WHERE source_date <= CAST(d AS DATE))
-- of several method versions the newest answers (M10.4)
QUALIFY rank() OVER (ORDER BY internal.method_order(method_version) DESC) = 1;
COMMENT ON MACRO TABLE stress_as_of IS 'Stress rows of the newest slice up to day d; asked_date is d, source_date the date of the slice';
