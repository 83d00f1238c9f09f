-- Of which filed concepts is an issuer's debt made, and where do they stand (--set ticker=RIOT)?
-- rung: the step of the ladder that found the line; weight −1 is taken off.
WITH asked AS (SELECT upper(coalesce(getvariable('ticker'), 'RIOT')) AS ticker)
SELECT source_date, bucket, concept, value, weight, rung, parent, period, accession
FROM debt_resolution SEMI JOIN asked USING (ticker) SEMI JOIN latest USING (source_date, method_version, cik)
ORDER BY bucket, value DESC NULLS LAST, concept;
