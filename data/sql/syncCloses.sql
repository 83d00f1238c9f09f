-- Closes of constituents up to $market_up_to; changed_close says from which day on they differ.

CREATE OR REPLACE TEMP TABLE fresh_close AS
SELECT 'coin' AS kind, asset AS ticker, date, close FROM main.prices
WHERE date <= getvariable('market_up_to')
  AND asset IN (SELECT ticker FROM internal.product_constituent WHERE kind = 'coin')
UNION ALL
SELECT 'stock', ticker, date, max_by(close, source) FROM internal.stock_close
WHERE date <= getvariable('market_up_to')
  AND ticker IN (SELECT ticker FROM internal.product_constituent WHERE kind = 'stock')
GROUP BY ticker, date;

CREATE OR REPLACE TEMP TABLE held_close AS
FROM internal.market_close WHERE date <= getvariable('market_up_to');

CREATE OR REPLACE TEMP TABLE changed_close AS
SELECT kind, ticker, min(date) AS from_date
FROM ((FROM fresh_close EXCEPT FROM held_close) UNION ALL (FROM held_close EXCEPT FROM fresh_close))
GROUP BY ALL;

DELETE FROM internal.market_close
WHERE date <= getvariable('market_up_to') AND (kind, ticker) IN (SELECT (kind, ticker) FROM changed_close);

INSERT INTO internal.market_close BY NAME
SELECT f.* FROM fresh_close f SEMI JOIN changed_close USING (kind, ticker);

DROP TABLE fresh_close;
DROP TABLE held_close;
