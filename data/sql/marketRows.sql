-- Rows of perpetual contracts made from observations, closes and the registry of products.

-- buckets the factor rows were computed from
CREATE TABLE IF NOT EXISTS market_bucket (
  venue VARCHAR NOT NULL,
  symbol VARCHAR NOT NULL,
  bucket_length VARCHAR NOT NULL,
  bucket_ms BIGINT NOT NULL,
  mark DOUBLE,
  index_price DOUBLE,
  last DOUBLE,
  open_interest DOUBLE,
  funding_rate DOUBLE,
  funding_interval_hours DOUBLE,
  volume_base DOUBLE,
  volume_usd DOUBLE,
  liquidations_long_usd DOUBLE,
  liquidations_short_usd DOUBLE,
  observations INTEGER NOT NULL,
  synthetic BOOLEAN NOT NULL,
  -- separated by |
  flags VARCHAR NOT NULL
);

-- inputs the buckets were made from, and what each says of a day of a contract: no rows of those inputs
CREATE TABLE IF NOT EXISTS market_input (input_name VARCHAR NOT NULL, fingerprint VARCHAR NOT NULL);
CREATE TABLE IF NOT EXISTS market_input_day (
  input_name VARCHAR NOT NULL,
  venue VARCHAR NOT NULL,
  symbol VARCHAR NOT NULL,
  -- since 1970-01-01
  day BIGINT NOT NULL,
  digest HUGEINT NOT NULL
);

-- days whose buckets are not made yet, or not of what the inputs say now
CREATE TABLE IF NOT EXISTS market_due (venue VARCHAR NOT NULL, symbol VARCHAR NOT NULL, day BIGINT NOT NULL);

-- contracts the buckets are of
CREATE TABLE IF NOT EXISTS market_made (venue VARCHAR NOT NULL, symbol VARCHAR NOT NULL);

-- closes of constituents they were computed from
CREATE TABLE IF NOT EXISTS market_close (
  -- coin or stock
  kind VARCHAR NOT NULL,
  ticker VARCHAR NOT NULL,
  date DATE NOT NULL,
  close DOUBLE NOT NULL
);

-- what each product's rows were computed with; another text computes all of them anew
CREATE TABLE IF NOT EXISTS market_method (product VARCHAR NOT NULL, method VARCHAR NOT NULL);

-- rows that are to be computed anew once a night reaches them
CREATE TABLE IF NOT EXISTS market_pending (product VARCHAR NOT NULL, bucket_length VARCHAR NOT NULL, from_ms BIGINT NOT NULL);

-- row key (product, bucket_length, bucket_ms, method_version) (M8.2, M10.4)
CREATE TABLE IF NOT EXISTS market_factor (
  product VARCHAR NOT NULL,
  bucket_length VARCHAR NOT NULL,
  bucket_ms BIGINT NOT NULL,
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  venue VARCHAR NOT NULL,
  contract_symbol VARCHAR NOT NULL,
  funding_annualized DOUBLE,
  basis_bps DOUBLE,
  oi_change_24h DOUBLE,
  oi_usd DOUBLE,
  rv_30d DOUBLE,
  rv_90d DOUBLE,
  vol_ratio DOUBLE,
  momentum_7d DOUBLE,
  momentum_30d DOUBLE,
  turnover DOUBLE,
  amihud_30d DOUBLE,
  breadth DOUBLE,
  breadth_count DOUBLE,
  hhi DOUBLE,
  n_eff DOUBLE,
  dispersion DOUBLE,
  liquidation_imbalance DOUBLE,
  pressure DOUBLE,
  z_funding_annualized DOUBLE,
  z_basis_bps DOUBLE,
  z_oi_change_24h DOUBLE,
  z_turnover DOUBLE,
  z_vol_ratio DOUBLE,
  z_momentum_30d DOUBLE,
  z_breadth DOUBLE,
  carry DOUBLE,
  positioning DOUBLE,
  market DOUBLE,
  quality_status VARCHAR NOT NULL,
  history_rows INTEGER NOT NULL,
  flags VARCHAR NOT NULL,
  registry_effective_date DATE,
  available BOOLEAN NOT NULL,
  -- the whole row as canonical JSON: rows are much alike, and a night copies and hashes what they take
  payload VARCHAR NOT NULL USING COMPRESSION zstd,
  payload_sha256 VARCHAR NOT NULL
);

CREATE TABLE IF NOT EXISTS product_constituent (
  product VARCHAR NOT NULL,
  index_symbol VARCHAR NOT NULL,
  effective_date DATE NOT NULL,
  position INTEGER NOT NULL,
  ticker VARCHAR NOT NULL,
  cik VARCHAR,
  name VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  weight DOUBLE,
  weights_public BOOLEAN NOT NULL,
  stand_in BOOLEAN NOT NULL,
  method VARCHAR NOT NULL,
  source VARCHAR NOT NULL
);

-- hours between two payments of funding, where a venue's rates do not show them
CREATE TABLE IF NOT EXISTS market_venue (venue VARCHAR NOT NULL, funding_hours DOUBLE NOT NULL);

-- contracts that a product is observed by
CREATE TABLE IF NOT EXISTS market_contract (venue VARCHAR NOT NULL, symbol VARCHAR NOT NULL);
