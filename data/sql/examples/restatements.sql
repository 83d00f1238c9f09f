-- Which filed figures of the issuers were changed by a later filing?
-- The largest changes of balance-sheet values within two years. After a reverse merger the comparative is another company's.
SELECT i.ticker, v.concept, v."end" AS as_of, v.value_before AS before, v.value AS after,
  round(v.value / v.value_before - 1, 4) AS change, v.filed, v.form, v.accession
FROM fact_vintages v JOIN issuers i USING (cik)
WHERE v.is_restated AND v.unit = 'USD' AND v."start" IS NULL AND v.value_before <> 0 AND abs(v.value) >= 1e6
  AND v.filed >= (SELECT max(source_date) FROM stress) - INTERVAL 2 YEAR
ORDER BY abs(change) DESC, i.ticker, v.concept, v."end"
LIMIT 25;
