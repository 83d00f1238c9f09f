-- How many coins do the issuers hold together, and how many of them does the largest hold?
-- estimated: units that follow from a filed value and the close of the balance-sheet date.
SELECT asset, count(*) AS issuers, sum(units) AS units, sum(units) FILTER (units_basis = 'estimated') AS estimated,
  round(sum(coins), 0) AS value_as_filed, arg_max(ticker, (units, ticker)) AS largest_holder,
  round(max(units) / sum(units), 4) AS its_share
FROM coins SEMI JOIN latest USING (source_date, method_version, cik)
WHERE units > 0
GROUP BY asset
ORDER BY value_as_filed DESC, asset;
