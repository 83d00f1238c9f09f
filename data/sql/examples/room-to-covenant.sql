-- How far may coins fall until debt reaches the reference covenant?
-- fall: of the filed coins, until debt is reference_covenant_ltv of them; negative is how far they are past it.
SELECT ticker, reference_covenant_ltv AS covenant, covenant_headroom_50pct AS headroom_at_50pct,
  round(1 - debt::DOUBLE / (reference_covenant_ltv * coins::DOUBLE), 4) AS fall,
  risk_tier, period, filing_url
FROM stress SEMI JOIN latest USING (source_date, method_version, cik)
WHERE risk_tier <> 'UNCLASSIFIED' AND debt > 0
ORDER BY fall, ticker;
