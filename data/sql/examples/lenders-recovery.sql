-- What do lenders get back at -50 %?
-- Coins alone pay, after a fall of half; book values, no costs, no order by court. A lower bound where coins are known at cost
-- less impairment alone. rank 1 is paid first; null stands outside the pool.
SELECT ticker, class, rank, claim, paid, recovery, pool, is_lower_bound, period, accession
FROM claims SEMI JOIN latest USING (source_date, method_version, cik)
WHERE lens = 'coins_only' AND shock = 0.5 AND class <> 'common' AND claim > 0
ORDER BY ticker, rank NULLS LAST, class;
