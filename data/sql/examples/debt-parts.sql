-- Of which filed concepts is an issuer's debt made, and where do they stand?
-- Change the ticker in the first line. rung: the step of the ladder that found the line; weight −1 is taken off.
WITH asked AS (SELECT 'RIOT' AS ticker)
SELECT source_date, bucket, concept, value, weight, rung, parent, period, accession
FROM debt_resolution SEMI JOIN asked USING (ticker) SEMI JOIN latest USING (source_date, method_version, cik)
ORDER BY bucket, value DESC NULLS LAST, concept;
