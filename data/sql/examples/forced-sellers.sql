-- Who must sell coins first if they fall by a given share (--set shock=40)?
-- at_call: USD of pledged coins to sell at the fallen price until loans past their trigger are back at it, at most all of them.
-- short_12m: burn and dues of twelve months that cash does not cover; no new debt, no sale of equity. A loan that is due may be
-- in both, so they are not added. share_of_coins: the larger one over all coins after the fall; above 1 they do not suffice.
WITH asked AS (
  SELECT least(greatest(coalesce(try_cast(getvariable('shock') AS DOUBLE), 50), 0), 99) AS shock_pct
),
fallen AS (
  SELECT cik, drawn, trigger_ltv, coalesce(live_price_fall_to_call, price_fall_to_call) AS fall_to_call,
    coalesce(live_ltv, ltv) / (1 - shock_pct / 100) AS ltv_after,
    drawn * (1 - shock_pct / 100) / coalesce(live_ltv, ltv) AS pledged_after
  FROM facilities CROSS JOIN asked
  WHERE trigger_ltv < 1 AND drawn > 0 AND coalesce(live_ltv, ltv) > 0 AND NOT is_subsequent
    AND source_date = (SELECT max(source_date) FROM stress)
),
called AS (
  SELECT cik, min(fall_to_call) AS fall_to_call, round(sum(
    CASE WHEN ltv_after >= 1 THEN pledged_after ELSE (drawn - trigger_ltv * pledged_after) / (1 - trigger_ltv) END), 2) AS at_call
  FROM fallen WHERE ltv_after > trigger_ltv GROUP BY cik
)
SELECT l.ticker, a.shock_pct, c.fall_to_call, c.at_call, r.first_shortfall_month, -least(r.shortfall_12m, 0) AS short_12m,
  round(l.live_coins::DOUBLE * (1 - a.shock_pct / 100), 2) AS coins_after,
  round(greatest(coalesce(c.at_call, 0), -least(r.shortfall_12m, 0)::DOUBLE) / (l.live_coins::DOUBLE * (1 - a.shock_pct / 100)), 4)
    AS share_of_coins,
  l.filing_age_days AS days_old, l.accession
FROM latest l CROSS JOIN asked a
LEFT JOIN called c USING (cik)
LEFT JOIN runway r USING (source_date, method_version, cik)
WHERE l.live_coins > 0 AND (c.at_call > 0 OR r.shortfall_12m < 0)
ORDER BY c.at_call IS NULL, c.fall_to_call, r.first_shortfall_month, share_of_coins DESC, l.ticker;
