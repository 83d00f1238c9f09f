-- Whose filed facts changed last night, and how much of it concerns coins, debt, cash or equity?
-- meaningful: added or revised rows of those families; restated: rows whose period already had another value.
SELECT source_date, list, coalesce(ticker, cik) AS registrant, entity_name, delta_size AS rows_changed, restated,
  meaningful_rows AS meaningful, crypto_rows AS crypto
FROM daily_changes
WHERE source_date = (SELECT max(scan_date) FROM scans)
ORDER BY meaningful DESC, rows_changed DESC, registrant;
