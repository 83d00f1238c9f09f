-- What falls due in the next twelve months?
-- due: within twelve months of the newest slice, from what the filing in force states; if_put also counts what holders may
-- ask back. proof: how well it is proven; of a null why, which is not zero. first: the earliest instrument with a date.
WITH dated AS (
  SELECT cik, min_by(name, maturity_date) AS first, min(maturity_date) AS first_due
  FROM instruments SEMI JOIN latest USING (source_date, method_version, cik)
  WHERE state = 'outstanding' AND maturity_date >= source_date
  GROUP BY cik
)
SELECT r.ticker, r.due_12m AS due, r.statuses->>'due_12m' AS proof, r.due_24m AS due_24m, r.due_24m_if_put AS if_put_24m, r.cash,
  d.first, d.first_due, r.period, r.accession
FROM runway r SEMI JOIN latest USING (source_date, method_version, cik)
LEFT JOIN dated d USING (cik)
WHERE r.due_12m > 0 OR d.first_due <= r.source_date + INTERVAL 12 MONTH
ORDER BY due DESC NULLS LAST, r.ticker;
