-- Facts of the filings in temporary table earlier_filing on the axes of notes, loans and lines (METHODOLOGY M18.90), and
-- the total that says in which currency they are.
SELECT e.vintage, e.place, f.concept, f.context_id AS "contextId", f.unit, f.value, f.value_exact AS digits, f.decimals,
  f.start_date::VARCHAR AS start, f.end_date::VARCHAR AS "end", f.dimensions, f.position
FROM instance_fact f
JOIN earlier_filing e USING (cik, accession)
WHERE f.end_date <= e.period
  AND (len(list_filter(f.dimensions, lambda d: regexp_matches(d.axis, '(Debt|LineOfCredit|CreditFacility)\w*Axis$'))) > 0
    OR (len(f.dimensions) = 0 AND f.concept LIKE '%:Assets' AND f.end_date = e.period AND f.start_date IS NULL))
ORDER BY e.vintage, e.place, f.concept, f.end_date, f.start_date, f.context_id, f.unit, f.value, f.decimals;
