-- How did the coins of each issuer change from one balance sheet to the next?
-- Units as the newest night reads each balance sheet; change is null between a reported and an estimated number.
SELECT ticker, asset, period, units, units_basis, previous_period, units_change, coins, accession
FROM holdings
ORDER BY ticker, asset, period;
