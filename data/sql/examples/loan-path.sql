-- How did a loan against coins move against its trigger (--set ticker=KULR)?
-- One row a date. live_ltv: at the close of the date, with the debt and coins of as_of.
WITH asked AS (SELECT upper(coalesce(getvariable('ticker'), 'KULR')) AS ticker)
SELECT source_date, ticker, facility_id AS loan, drawn, collateral_units AS units, live_ltv, trigger_ltv,
  margin_call_price AS call_price, live_price_fall_to_call AS fall, as_of, accession
FROM facility_history SEMI JOIN asked USING (ticker)
-- of several method versions of a date the newest
QUALIFY rank() OVER (PARTITION BY source_date ORDER BY internal.method_order(method_version) DESC) = 1
ORDER BY loan, source_date;
