-- Perpetual contracts for analysts; every column has a comment.

CREATE OR REPLACE VIEW market_observations AS
SELECT venue, symbol, make_timestamp(observed_ms * 1000) AS observed_at, kind, mark, index_price, last, open_interest,
  open_interest_usd, funding_rate, funding_interval_hours, volume_base, volume_usd, volume_usd_basis,
  interval_minutes, liquidations_long_usd, liquidations_short_usd, synthetic, flags, source, input, input_sha256
FROM internal.market_observation
ORDER BY venue, symbol, observed_ms;

COMMENT ON VIEW market_observations IS 'What venues said of perpetual contracts, one row an instant and table; values as given (METHODOLOGY M8.2). Key: venue, symbol, observed_at, kind, interval_minutes';
COMMENT ON COLUMN market_observations.venue IS 'Exchange';
COMMENT ON COLUMN market_observations.symbol IS 'Contract, as the tables of that venue name it';
COMMENT ON COLUMN market_observations.observed_at IS 'UTC instant; of a candle its open';
COMMENT ON COLUMN market_observations.kind IS 'funding, state, candle, or snapshot: an answer of the venue at that instant';
COMMENT ON COLUMN market_observations.mark IS 'Mark price; USDT counts as USD';
COMMENT ON COLUMN market_observations.index_price IS 'Price of the index the contract follows';
COMMENT ON COLUMN market_observations.last IS 'Last trade; of a candle its close';
COMMENT ON COLUMN market_observations.open_interest IS 'Open contracts in units of the underlying';
COMMENT ON COLUMN market_observations.open_interest_usd IS 'Open contracts as a face value in USD, where the venue counts so; no factor uses it';
COMMENT ON COLUMN market_observations.funding_rate IS 'Rate of one payment; positive: longs pay';
COMMENT ON COLUMN market_observations.funding_interval_hours IS 'Hours between two payments, where the venue says so with the rate';
COMMENT ON COLUMN market_observations.volume_base IS 'Volume of the candle in units of the underlying';
COMMENT ON COLUMN market_observations.volume_usd IS 'Volume of the candle in USD';
COMMENT ON COLUMN market_observations.volume_usd_basis IS 'quote: as the venue gave it; close: volume_base times the close of the candle';
COMMENT ON COLUMN market_observations.interval_minutes IS 'Length of the candle; null for what is no candle';
COMMENT ON COLUMN market_observations.liquidations_long_usd IS 'Longs liquidated since the observation before, in USD';
COMMENT ON COLUMN market_observations.liquidations_short_usd IS 'Shorts liquidated since the observation before, in USD';
COMMENT ON COLUMN market_observations.synthetic IS 'True for rows of a generator, never of a market';
COMMENT ON COLUMN market_observations.flags IS 'What was found while it was read, separated by |';
COMMENT ON COLUMN market_observations.source IS 'Where the row comes from';
COMMENT ON COLUMN market_observations.input IS 'File of the inputs';
COMMENT ON COLUMN market_observations.input_sha256 IS 'SHA-256 of that file';

CREATE OR REPLACE VIEW market_buckets AS
SELECT venue, symbol, bucket_length, make_timestamp(bucket_ms * 1000) AS bucket_utc,
  mark IS NOT NULL AND index_price IS NOT NULL AS available, mark, index_price, last, open_interest, funding_rate,
  funding_interval_hours, volume_base, volume_usd, liquidations_long_usd, liquidations_short_usd, observations,
  synthetic, flags
FROM internal.market_bucket
ORDER BY venue, symbol, bucket_length, bucket_ms;

COMMENT ON VIEW market_buckets IS 'Quarter hours, hours and days of each contract of a product: the last state, the sum of flows, nothing carried over (METHODOLOGY M8.2). Key: venue, symbol, bucket_length, bucket_utc';
COMMENT ON COLUMN market_buckets.venue IS 'Exchange';
COMMENT ON COLUMN market_buckets.symbol IS 'Contract';
COMMENT ON COLUMN market_buckets.bucket_length IS '15m, 1h or 1d';
COMMENT ON COLUMN market_buckets.bucket_utc IS 'Start of the bucket, UTC';
COMMENT ON COLUMN market_buckets.available IS 'True with a mark and an index: only then it counts for look-backs and windows';
COMMENT ON COLUMN market_buckets.mark IS 'Last mark price in the bucket';
COMMENT ON COLUMN market_buckets.index_price IS 'Last index price in the bucket';
COMMENT ON COLUMN market_buckets.last IS 'Last trade in the bucket';
COMMENT ON COLUMN market_buckets.open_interest IS 'Last open interest in the bucket, units of the underlying';
COMMENT ON COLUMN market_buckets.funding_rate IS 'Last rate of funding in the bucket';
COMMENT ON COLUMN market_buckets.funding_interval_hours IS 'Hours between two payments: as the venue says, else as its last gaps show, else as it is known for';
COMMENT ON COLUMN market_buckets.volume_base IS 'Volume of all candles of the bucket, in units of the underlying; null when one is missing';
COMMENT ON COLUMN market_buckets.volume_usd IS 'The same in USD';
COMMENT ON COLUMN market_buckets.liquidations_long_usd IS 'Longs liquidated, in USD; null where the venue does not say';
COMMENT ON COLUMN market_buckets.liquidations_short_usd IS 'Shorts liquidated, in USD; null where the venue does not say';
COMMENT ON COLUMN market_buckets.observations IS 'Observations the bucket is made of';
COMMENT ON COLUMN market_buckets.synthetic IS 'True when one of them comes from a generator';
COMMENT ON COLUMN market_buckets.flags IS 'What was found while they were read, separated by |';

CREATE OR REPLACE VIEW market_factors AS
SELECT product, bucket_length, make_timestamp(bucket_ms * 1000) AS bucket_utc, source_date, venue, contract_symbol,
  funding_annualized, basis_bps, oi_change_24h, oi_usd, rv_30d, rv_90d, vol_ratio, momentum_7d, momentum_30d,
  turnover, amihud_30d, breadth, breadth_count, hhi, n_eff, dispersion, liquidation_imbalance, pressure,
  z_funding_annualized, z_basis_bps, z_oi_change_24h, z_turnover, z_vol_ratio, z_momentum_30d, z_breadth,
  available, quality_status, history_rows, flags, registry_effective_date, method_version, payload_sha256
FROM internal.market_factor
ORDER BY product, bucket_length, bucket_ms;

COMMENT ON VIEW market_factors IS 'Factors of every product, one row a bucket, from one contract each (METHODOLOGY M8.4). Key: product, bucket_length, bucket_utc';
COMMENT ON COLUMN market_factors.product IS 'Product of data/registry/products.json';
COMMENT ON COLUMN market_factors.bucket_length IS '15m, 1h or 1d';
COMMENT ON COLUMN market_factors.bucket_utc IS 'Start of the bucket, UTC';
COMMENT ON COLUMN market_factors.source_date IS 'Day of the bucket, UTC';
COMMENT ON COLUMN market_factors.venue IS 'Exchange of the contract the row is of';
COMMENT ON COLUMN market_factors.contract_symbol IS 'That contract; two are never mixed in one difference';
COMMENT ON COLUMN market_factors.funding_annualized IS 'Funding of a year at the last rate, simple';
COMMENT ON COLUMN market_factors.basis_bps IS 'Mark over index, in basis points';
COMMENT ON COLUMN market_factors.oi_change_24h IS 'Change of open interest in 24 hours, in units of the underlying';
COMMENT ON COLUMN market_factors.oi_usd IS 'Open interest at the mark, in USD';
COMMENT ON COLUMN market_factors.rv_30d IS 'Volatility of 30 daily log returns, a year of it';
COMMENT ON COLUMN market_factors.rv_90d IS 'Volatility of 90 daily log returns, a year of it';
COMMENT ON COLUMN market_factors.vol_ratio IS 'rv_30d over rv_90d';
COMMENT ON COLUMN market_factors.momentum_7d IS 'Log return of the mark over 7 days';
COMMENT ON COLUMN market_factors.momentum_30d IS 'Log return of the mark over 30 days';
COMMENT ON COLUMN market_factors.turnover IS 'Volume of 24 hours over open interest, both in USD';
COMMENT ON COLUMN market_factors.amihud_30d IS 'Mean of absolute daily return over volume in millions of USD';
COMMENT ON COLUMN market_factors.breadth IS 'Weight of constituents that rose in 7 days';
COMMENT ON COLUMN market_factors.breadth_count IS 'Share of constituents, by number, that rose in 7 days';
COMMENT ON COLUMN market_factors.hhi IS 'Sum of squared weights';
COMMENT ON COLUMN market_factors.n_eff IS '1 over hhi';
COMMENT ON COLUMN market_factors.dispersion IS 'Weighted standard deviation of the constituents'' 7-day returns';
COMMENT ON COLUMN market_factors.liquidation_imbalance IS 'Liquidated longs less shorts over both';
COMMENT ON COLUMN market_factors.pressure IS 'Mean of the groups carry, positioning and market (M8.9); null with evidence missing';
COMMENT ON COLUMN market_factors.z_funding_annualized IS 'Robust z of the factor in its own trailing window (M8.5)';
COMMENT ON COLUMN market_factors.z_basis_bps IS 'Robust z of the factor in its own trailing window (M8.5)';
COMMENT ON COLUMN market_factors.z_oi_change_24h IS 'Robust z of the factor in its own trailing window (M8.5)';
COMMENT ON COLUMN market_factors.z_turnover IS 'Robust z of the factor in its own trailing window (M8.5)';
COMMENT ON COLUMN market_factors.z_vol_ratio IS 'Robust z of the factor in its own trailing window (M8.5)';
COMMENT ON COLUMN market_factors.z_momentum_30d IS 'Robust z of the factor in its own trailing window (M8.5)';
COMMENT ON COLUMN market_factors.z_breadth IS 'Robust z of the factor in its own trailing window (M8.5)';
COMMENT ON COLUMN market_factors.available IS 'True when the bucket holds a mark and an index';
COMMENT ON COLUMN market_factors.quality_status IS 'ok or partial';
COMMENT ON COLUMN market_factors.history_rows IS 'Available buckets in the window of the z-scores';
COMMENT ON COLUMN market_factors.flags IS 'What is missing or doubtful, separated by |';
COMMENT ON COLUMN market_factors.registry_effective_date IS 'Version of the constituents in force on the bucket';
COMMENT ON COLUMN market_factors.method_version IS 'Version of the rules';
COMMENT ON COLUMN market_factors.payload_sha256 IS 'SHA-256 of the whole row as kept';

CREATE OR REPLACE VIEW constituents AS
SELECT product, index_symbol, effective_date, ticker, cik, name, kind, weight, weights_public, stand_in, method, source
FROM internal.product_constituent
ORDER BY product, effective_date, position;

COMMENT ON VIEW constituents IS 'Constituents of every version of a product (METHODOLOGY M8.6). Key: product, effective_date, ticker';
COMMENT ON COLUMN constituents.product IS 'Product of data/registry/products.json';
COMMENT ON COLUMN constituents.index_symbol IS 'Index the product follows';
COMMENT ON COLUMN constituents.effective_date IS 'First day of the version';
COMMENT ON COLUMN constituents.ticker IS 'Symbol of the coin, ticker of the stock';
COMMENT ON COLUMN constituents.cik IS 'CIK of a stock''s issuer where it is known';
COMMENT ON COLUMN constituents.name IS 'Name, as the source of the version gives it';
COMMENT ON COLUMN constituents.kind IS 'coin or stock';
COMMENT ON COLUMN constituents.weight IS 'Share of the basket as published; null where it is not public';
COMMENT ON COLUMN constituents.weights_public IS 'False where some constituents or weights are not known';
COMMENT ON COLUMN constituents.stand_in IS 'True for a published list that stands for one that is not public';
COMMENT ON COLUMN constituents.method IS 'How the index weights: fixed_share, capped, single, price_weighted, equal or not_public';
COMMENT ON COLUMN constituents.source IS 'Where constituents and weights come from';

CREATE OR REPLACE VIEW pressure AS
SELECT product, bucket_length, make_timestamp(bucket_ms * 1000) AS bucket_utc, source_date, pressure,
  CASE WHEN pressure IS NULL THEN 'insufficient_evidence' WHEN pressure < -0.75 THEN 'relief'
    WHEN pressure < 0.75 THEN 'balanced' WHEN pressure < 1.5 THEN 'building' WHEN pressure < 2.5 THEN 'elevated'
    ELSE 'extreme' END AS state,
  carry, positioning, market, quality_status, flags, method_version
FROM internal.market_factor
ORDER BY product, bucket_length, bucket_ms;

COMMENT ON VIEW pressure IS 'Pressure of every product and its three groups, one row a bucket (METHODOLOGY M8.9, M8.10). Key: product, bucket_length, bucket_utc';
COMMENT ON COLUMN pressure.product IS 'Product of data/registry/products.json';
COMMENT ON COLUMN pressure.bucket_length IS '15m, 1h or 1d';
COMMENT ON COLUMN pressure.bucket_utc IS 'Start of the bucket, UTC';
COMMENT ON COLUMN pressure.source_date IS 'Day of the bucket, UTC';
COMMENT ON COLUMN pressure.pressure IS 'Mean of the groups at hand; null with evidence missing';
COMMENT ON COLUMN pressure.state IS 'relief, balanced, building, elevated, extreme, or insufficient_evidence';
COMMENT ON COLUMN pressure.carry IS 'Mean z of funding and basis';
COMMENT ON COLUMN pressure.positioning IS 'Mean of z of open interest and minus z of turnover';
COMMENT ON COLUMN pressure.market IS 'Mean of z of the volatility ratio, minus z of momentum, minus z of breadth';
COMMENT ON COLUMN pressure.quality_status IS 'ok or partial';
COMMENT ON COLUMN pressure.flags IS 'What is missing or doubtful, separated by |';
COMMENT ON COLUMN pressure.method_version IS 'Version of the rules';
