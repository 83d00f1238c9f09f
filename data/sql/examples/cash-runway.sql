-- How many months of operating outflow does the filed cash cover?
-- Outflow a month over the duration that was filed, which is a year to date in most 10-Q; none where operations bring cash in.
WITH flows AS (
  SELECT *, (period - cash_flow_start + 1) / 30.4375 AS months
  FROM fundamentals SEMI JOIN latest USING (source_date, method_version, cik)
  WHERE cash_flow_from_operations IS NOT NULL
)
SELECT ticker, period, cash_and_equivalents AS cash, cash_flow_start AS flow_from, cash_flow_from_operations AS cash_flow,
  round(months) AS months,
  CASE WHEN cash_flow_from_operations < 0
    THEN round(-cash_and_equivalents::DOUBLE * months / cash_flow_from_operations::DOUBLE, 1) END AS months_of_cash
FROM flows
ORDER BY months_of_cash NULLS LAST, ticker;
