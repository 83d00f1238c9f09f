-- How many months does the cash last?
-- Counted from the newest slice: burn and dues since the balance sheet are taken off first. proof: how well months is proven;
-- of a null why, such as cash_flow_positive. No refinancing and no sale of equity is assumed; burn_without_coins leaves dealings in coins aside.
SELECT ticker, months_of_cash AS months, months_of_cash_status AS proof, months_after_dividends AS after_dividends,
  first_shortfall_month, shortfall_12m, share_of_free_coins AS of_free_coins, cash, -monthly_operating_cash AS burn,
  -monthly_operating_cash_without_coins AS burn_without_coins, due_12m, period_end, accession
FROM runway SEMI JOIN latest USING (source_date, method_version, cik)
ORDER BY months NULLS LAST, ticker;
