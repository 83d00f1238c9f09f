-- Who must sell first if coins fall by a given share (--set shock=40)?
-- Loans whose lender may act after such a fall: dollars of pledged coins to sell at the fallen price until the loan is back
-- at its trigger; where they are worth less than the loan all of them, and what is then still owed. No other cash counts.
WITH asked AS (
  SELECT least(greatest(coalesce(try_cast(getvariable('shock') AS DOUBLE), 50), 0), 99) AS shock_pct
),
fallen AS (
  SELECT ticker, name AS loan, shock_pct, drawn, trigger_ltv, coalesce(live_price_fall_to_call, price_fall_to_call) AS fall_to_call,
    coalesce(live_ltv, ltv) / (1 - shock_pct / 100) AS ltv_after,
    drawn * (1 - shock_pct / 100) / coalesce(live_ltv, ltv) AS pledged_after,
    collateral_asset AS asset, price_date AS close_of, accession
  FROM facilities CROSS JOIN asked
  WHERE trigger_ltv < 1 AND drawn > 0 AND coalesce(live_ltv, ltv) > 0 AND NOT is_subsequent
    AND source_date = (SELECT max(source_date) FROM stress)
)
SELECT ticker, loan, shock_pct, fall_to_call, trigger_ltv, round(ltv_after, 6) AS ltv_after, drawn,
  round(pledged_after, 2) AS pledged_after,
  round(CASE WHEN ltv_after >= 1 THEN pledged_after ELSE (drawn - trigger_ltv * pledged_after) / (1 - trigger_ltv) END, 2)
    AS coins_to_sell,
  round(greatest(drawn - pledged_after, 0), 2) AS still_owed, asset, close_of, accession
FROM fallen
WHERE ltv_after > trigger_ltv
ORDER BY fall_to_call, ticker;
