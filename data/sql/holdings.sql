-- Filed figures and coins of every night, beside its stress rows and under the same key. Run in every build.

CREATE TABLE IF NOT EXISTS fundamental_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  ticker VARCHAR NOT NULL,
  entity_name VARCHAR,
  accession VARCHAR,
  filing_form VARCHAR,
  period DATE,
  currency VARCHAR,
  flow_start DATE,
  flow_end DATE,
  cash_flow_start DATE,
  revenue DECIMAL(38, 6),
  operating_income DECIMAL(38, 6),
  net_income DECIMAL(38, 6),
  cash_flow_from_operations DECIMAL(38, 6),
  total_assets DECIMAL(38, 6),
  current_assets DECIMAL(38, 6),
  cash_and_equivalents DECIMAL(38, 6),
  total_liabilities DECIMAL(38, 6),
  total_equity DECIMAL(38, 6)
);

CREATE TABLE IF NOT EXISTS coin_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  asset VARCHAR NOT NULL,
  share DOUBLE NOT NULL,
  units DOUBLE,
  is_reported BOOLEAN NOT NULL
);

-- row key (source_date, method_version, cik, facility_id, is_subsequent)
CREATE TABLE IF NOT EXISTS facility_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  facility_id VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  drawn DECIMAL(38, 6),
  drawn_basis VARCHAR,
  "limit" DECIMAL(38, 6),
  collateral_asset VARCHAR,
  collateral_units DOUBLE,
  collateral_value DECIMAL(38, 6),
  collateral_basis VARCHAR,
  ltv DOUBLE,
  trigger_ltv DOUBLE,
  trigger_kind VARCHAR,
  margin_call_price DOUBLE,
  price_fall_to_call DOUBLE,
  live_ltv DOUBLE,
  live_price_fall_to_call DOUBLE,
  price_date DATE,
  as_of DATE NOT NULL,
  is_subsequent BOOLEAN NOT NULL,
  confidence VARCHAR NOT NULL,
  notes VARCHAR[] NOT NULL,
  fact_refs VARCHAR NOT NULL
);
