-- What falls due in the next twelve months?
-- USD, within twelve and twenty-four months of the newest slice, from the filing in force; if_put_24m also counts what holders
-- may ask back. proof: how well it is proven; of a null why, which is not zero. days_old: age of that balance sheet.
-- first_due: earliest day an instrument states, none where none does.
WITH dated AS (
  SELECT cik, min_by(name, maturity_date) AS first_due_of, min(maturity_date) AS first_due
  FROM instruments SEMI JOIN latest USING (source_date, method_version, cik)
  WHERE state = 'outstanding' AND maturity_date >= source_date
  GROUP BY cik
)
SELECT r.ticker, r.due_12m, r.statuses->>'due_12m' AS proof, r.due_24m, r.due_24m_if_put AS if_put_24m, r.cash, l.coins,
  round(r.due_12m / nullif(l.coins, 0), 4) AS due_to_coins, r.period, r.source_date - r.period AS days_old, d.first_due,
  d.first_due_of, r.accession
FROM runway r JOIN latest l USING (source_date, method_version, cik)
LEFT JOIN dated d USING (cik)
WHERE r.due_12m > 0 OR d.first_due <= r.source_date + INTERVAL 12 MONTH
ORDER BY r.due_12m DESC NULLS LAST, r.ticker;
