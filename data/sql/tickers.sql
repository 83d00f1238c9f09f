-- EDGAR's list of tickers and exchanges.

CREATE TABLE IF NOT EXISTS listed_ticker (
  input VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  ticker VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  exchange VARCHAR
);
