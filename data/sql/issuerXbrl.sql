-- Facts of the filings in temporary table in_force that a resolver looks at: whole-entity facts of any period,
-- and dimensional ones at the period end, a day later (METHODOLOGY M2.6a), about debt instruments (M1.37), or about
-- loans, pledges and what happened after the period end (M16.2), or on an axis of what makes up the capital (M18.10):
-- $loan, $pledge, $shares and $capital are names of members, concepts and axes.
SELECT i.vintage, f.concept, f.context_id AS "contextId", f.unit, f.value, f.value_exact AS digits, f.decimals, f.start_date::VARCHAR AS start,
  f.end_date::VARCHAR AS "end", f.dimensions, f.position
FROM instance_fact f
JOIN in_force i USING (cik, accession)
WHERE len(f.dimensions) = 0
  OR (f.start_date IS NULL AND f.end_date BETWEEN i.period AND i.period + 1)
  OR f.concept LIKE '%:DebtInstrument%'
  OR regexp_matches(f.concept, $pledge)
  OR regexp_matches(f.concept, $shares)
  OR len(list_filter(f.dimensions, lambda d: regexp_matches(d.member, $loan) OR d.member LIKE '%:SubsequentEventMember'
    OR regexp_matches(d.axis, $capital))) > 0
ORDER BY i.vintage, f.concept, f.end_date, f.start_date, f.context_id, f.unit, f.value, f.decimals;
