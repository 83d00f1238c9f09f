-- What venues said of perpetual contracts, and what is made of it. Times are UTC.

CREATE TABLE IF NOT EXISTS market_observation (
  input VARCHAR NOT NULL,
  venue VARCHAR NOT NULL,
  symbol VARCHAR NOT NULL,
  -- epoch milliseconds; of a candle its open
  observed_ms BIGINT NOT NULL,
  -- funding, state, candle or snapshot
  kind VARCHAR NOT NULL,
  mark DOUBLE,
  index_price DOUBLE,
  last DOUBLE,
  open_interest DOUBLE,
  open_interest_usd DOUBLE,
  funding_rate DOUBLE,
  funding_interval_hours DOUBLE,
  volume_base DOUBLE,
  volume_usd DOUBLE,
  -- quote: as the venue gave it; close: base volume times the candle's close
  volume_usd_basis VARCHAR,
  interval_minutes INTEGER,
  liquidations_long_usd DOUBLE,
  liquidations_short_usd DOUBLE,
  source VARCHAR NOT NULL,
  input_sha256 VARCHAR NOT NULL,
  synthetic BOOLEAN NOT NULL,
  -- separated by |
  flags VARCHAR NOT NULL
);
