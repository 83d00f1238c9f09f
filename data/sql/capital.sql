-- The capital structure of issuers on every night, beside their stress rows and under the same key (METHODOLOGY M18.84). Run in every build.

-- the whole of it as it was published, with its facts; nights alone, no backfill. Row key (source_date, method_version, cik)
CREATE TABLE IF NOT EXISTS capital_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  payload VARCHAR NOT NULL,
  trail VARCHAR NOT NULL
);

-- row key (source_date, method_version, cik, instrument_id, as_of)
CREATE TABLE IF NOT EXISTS instrument_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  instrument_id VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  state VARCHAR NOT NULL,
  as_of DATE NOT NULL,
  rank VARCHAR NOT NULL,
  rank_basis VARCHAR NOT NULL,
  secured_by VARCHAR,
  currency VARCHAR NOT NULL,
  principal DECIMAL(38, 6),
  principal_basis VARCHAR,
  carrying_amount DECIMAL(38, 6),
  unamortized_cost DECIMAL(38, 6),
  coupon_rate DOUBLE,
  coupon_kind VARCHAR,
  effective_rate DOUBLE,
  issue_date DATE,
  maturity_date DATE,
  maturity_basis VARCHAR,
  springing_maturity_date DATE,
  put_date DATE,
  call_date DATE,
  conversion_price DOUBLE,
  conversion_shares DECIMAL(38, 6),
  fair_value DECIMAL(38, 6),
  pledged_units DECIMAL(38, 9),
  pledged_value DECIMAL(38, 6),
  facility_id VARCHAR,
  terms_accession VARCHAR,
  statuses VARCHAR NOT NULL,
  notes VARCHAR[] NOT NULL
);

-- row key (source_date, method_version, cik, mark, due_from, instrument_id)
CREATE TABLE IF NOT EXISTS maturity_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  mark VARCHAR NOT NULL,
  bucket VARCHAR,
  due_from DATE NOT NULL,
  due_to DATE,
  amount DECIMAL(38, 6) NOT NULL,
  instrument_id VARCHAR,
  is_on_wall BOOLEAN NOT NULL,
  status VARCHAR,
  basis VARCHAR,
  total DECIMAL(38, 6),
  coverage_of_debt DOUBLE,
  notes VARCHAR[] NOT NULL
);

-- row key (source_date, method_version, cik, class)
CREATE TABLE IF NOT EXISTS preferred_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  class VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  shares DECIMAL(38, 6),
  carrying_amount DECIMAL(38, 6),
  claim DECIMAL(38, 6),
  claim_basis VARCHAR,
  dividend_rate DOUBLE,
  annual_dividend DECIMAL(38, 6),
  dividends_declared DECIMAL(38, 6),
  dividends_declared_months INTEGER,
  arrears DECIMAL(38, 6),
  statuses VARCHAR NOT NULL,
  notes VARCHAR[] NOT NULL
);

-- row key (source_date, method_version, cik)
CREATE TABLE IF NOT EXISTS share_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  outstanding DECIMAL(38, 6),
  as_of DATE NOT NULL,
  cover DECIMAL(38, 6),
  cover_date DATE,
  prefunded DECIMAL(38, 6),
  options DECIMAL(38, 6),
  option_price DOUBLE,
  restricted_units DECIMAL(38, 6),
  warrants DECIMAL(38, 6),
  convertible_shares DECIMAL(38, 6),
  basic_plus_prefunded DECIMAL(38, 6),
  fully_diluted DECIMAL(38, 6),
  classes VARCHAR NOT NULL,
  statuses VARCHAR NOT NULL,
  notes VARCHAR[] NOT NULL
);

-- row key (source_date, method_version, cik, lens, shock, class)
CREATE TABLE IF NOT EXISTS claim_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  lens VARCHAR NOT NULL,
  shock DOUBLE NOT NULL,
  pool DECIMAL(38, 6) NOT NULL,
  class VARCHAR NOT NULL,
  rank INTEGER,
  claim DECIMAL(38, 6) NOT NULL,
  paid DECIMAL(38, 6),
  recovery DOUBLE,
  common_residual DECIMAL(38, 6) NOT NULL,
  common_per_share DOUBLE,
  is_lower_bound BOOLEAN NOT NULL,
  notes VARCHAR[] NOT NULL
);

-- row key (source_date, method_version, cik, basis, asset)
CREATE TABLE IF NOT EXISTS nav_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  basis VARCHAR NOT NULL,
  asset VARCHAR,
  units DECIMAL(38, 9),
  coins_per_share DOUBLE,
  coins_per_share_prefunded DOUBLE,
  coins_per_share_diluted DOUBLE,
  gross DECIMAL(38, 6),
  net_of_debt DECIMAL(38, 6),
  net_of_claims DECIMAL(38, 6),
  per_share DOUBLE,
  close_date DATE,
  count_date DATE,
  mnav_gross DOUBLE,
  mnav_enterprise DOUBLE,
  mnav_net DOUBLE,
  mnav_diluted DOUBLE,
  digital_asset_share DOUBLE,
  is_above_index_threshold BOOLEAN,
  statuses VARCHAR NOT NULL,
  notes VARCHAR[] NOT NULL
);

-- row key (source_date, method_version, cik)
CREATE TABLE IF NOT EXISTS runway_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  as_of DATE NOT NULL,
  period_end DATE NOT NULL,
  cash DECIMAL(38, 6),
  restricted_cash DECIMAL(38, 6),
  monthly_operating_cash DECIMAL(38, 6),
  monthly_operating_cash_without_coins DECIMAL(38, 6),
  coin_sale_proceeds DECIMAL(38, 6),
  annual_interest DECIMAL(38, 6),
  interest_paid DECIMAL(38, 6),
  annual_preferred_dividends DECIMAL(38, 6),
  due_12m DECIMAL(38, 6),
  due_24m DECIMAL(38, 6),
  due_24m_if_put DECIMAL(38, 6),
  months_of_cash DOUBLE,
  months_after_dividends DOUBLE,
  first_shortfall_month VARCHAR,
  shortfall_12m DECIMAL(38, 6),
  free_coin_value DECIMAL(38, 6),
  share_of_free_coins DOUBLE,
  statuses VARCHAR NOT NULL,
  notes VARCHAR[] NOT NULL
);

-- row key (source_date, method_version, cik, asset, measure, flow_start, flow_end)
CREATE TABLE IF NOT EXISTS coin_flow_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  asset VARCHAR NOT NULL,
  measure VARCHAR,
  flow_start DATE,
  flow_end DATE,
  opening DECIMAL(38, 9),
  bought DECIMAL(38, 9),
  mined DECIMAL(38, 9),
  received DECIMAL(38, 9),
  sold DECIMAL(38, 9),
  paid DECIMAL(38, 9),
  transferred DECIMAL(38, 9),
  gain DECIMAL(38, 9),
  other DECIMAL(38, 9),
  closing DECIMAL(38, 9),
  residual DECIMAL(38, 9),
  status VARCHAR,
  units DECIMAL(38, 9),
  cost_basis DECIMAL(38, 6),
  unrealised_gain DECIMAL(38, 6),
  average_cost DECIMAL(38, 6),
  pledged DECIMAL(38, 9),
  restricted DECIMAL(38, 9),
  staked DECIMAL(38, 9),
  free DECIMAL(38, 9),
  statuses VARCHAR NOT NULL,
  notes VARCHAR[] NOT NULL
);
