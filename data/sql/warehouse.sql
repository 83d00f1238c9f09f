-- What a build says of itself and derives from its inputs. Each input has a script of its own.

CREATE TABLE IF NOT EXISTS build_info (name VARCHAR NOT NULL, value VARCHAR NOT NULL);

-- what was read in the last run, so that an unchanged input is not read again
CREATE TABLE IF NOT EXISTS input_file (
  name VARCHAR NOT NULL,
  fingerprint VARCHAR NOT NULL,
  row_count BIGINT NOT NULL,
  quarantined VARCHAR NOT NULL
);

CREATE TABLE IF NOT EXISTS universe_issuer (
  position INTEGER NOT NULL,
  cik VARCHAR NOT NULL,
  ticker VARCHAR,
  entity_name VARCHAR NOT NULL,
  aliases VARCHAR[] NOT NULL,
  exchange VARCHAR,
  issuer_type VARCHAR NOT NULL,
  issuer_class VARCHAR,
  primary_asset VARCHAR,
  -- how and when the registrant ended; null while it files
  status VARCHAR,
  status_date DATE,
  successor VARCHAR,
  -- MMDD
  fiscal_year_end VARCHAR
);

-- candidate periodic filings of every registrant at hand (METHODOLOGY M1.44), renewed for changed registrants
CREATE TABLE IF NOT EXISTS periodic_filing (
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  accession_status VARCHAR NOT NULL,
  form VARCHAR NOT NULL,
  filed DATE NOT NULL,
  accepted_at TIMESTAMP NOT NULL,
  acceptance_estimated BOOLEAN NOT NULL,
  -- in which zone accepted_at was stated (M1.44d); null when it is estimated
  acceptance_basis VARCHAR,
  -- the first day it may be used on: neither before it was filed nor before it was accepted (M10.2)
  known_on DATE NOT NULL,
  -- the day companyfacts gives its facts; null when it has none of them
  facts_filed DATE,
  -- filed is the last day a filer is still in time, not a date of the source
  filing_date_statutory BOOLEAN NOT NULL,
  period DATE,
  has_balance_sheet BOOLEAN NOT NULL,
  primary_document VARCHAR,
  in_submissions BOOLEAN NOT NULL,
  in_instances BOOLEAN NOT NULL,
  in_folders BOOLEAN NOT NULL,
  in_companyfacts BOOLEAN NOT NULL
);

-- filings whose facts are known later than the day companyfacts gives them: accepted in the evening, or dated by estimate
-- (METHODOLOGY M10.2); few
CREATE OR REPLACE MACRO internal.late_filings() AS TABLE
SELECT cik, accession, max(known_on) AS known_on
FROM (
  SELECT cik, accession, known_on FROM internal.periodic_filing WHERE known_on > coalesce(facts_filed, filed)
  UNION ALL
  SELECT cik, accession, accepted_at::DATE FROM internal.submission_filing WHERE accepted_at::DATE > filed
)
GROUP BY cik, accession;

-- stress rows of every night; row key (source_date, method_version, cik) (M10.4)
CREATE TABLE IF NOT EXISTS stress_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  ticker VARCHAR NOT NULL,
  entity_name VARCHAR,
  accession_number VARCHAR NOT NULL,
  filing_form VARCHAR,
  period DATE,
  filed DATE,
  filing_age_days INTEGER,
  next_report_due DATE,
  core_model VARCHAR,
  core_tier VARCHAR,
  total_long_term_debt DECIMAL(38, 6),
  current_debt DECIMAL(38, 6),
  noncurrent_debt DECIMAL(38, 6),
  total_crypto_fair_value DECIMAL(38, 6),
  figures_basis VARCHAR,
  crypto_share_of_assets DOUBLE,
  treasury_relevance VARCHAR,
  net_debt_to_coins DOUBLE,
  bitcoin_units_held DOUBLE,
  ethereum_units_held DOUBLE,
  crypto_units_basis VARCHAR,
  reference_price_date DATE,
  stress_30pct DOUBLE,
  stress_50pct DOUBLE,
  stress_70pct DOUBLE,
  covenant_headroom_50pct DOUBLE,
  reference_covenant_ltv DOUBLE,
  charge_level VARCHAR,
  discharge_risk VARCHAR,
  resonance_status VARCHAR,
  risk_tier VARCHAR,
  breach_probability_1y DOUBLE,
  shocked_equity_50pct DECIMAL(38, 6),
  quality_flag VARCHAR,
  data_source VARCHAR,
  root_resolution_method VARCHAR,
  is_linkbase_backed BOOLEAN,
  debt_coverage_status VARCHAR,
  resolution_status VARCHAR,
  selection_strategy VARCHAR,
  uses_live_prices BOOLEAN,
  price_source VARCHAR,
  live_total_crypto_fair_value DECIMAL(38, 6),
  live_stress_30pct DOUBLE,
  live_stress_50pct DOUBLE,
  live_stress_70pct DOUBLE,
  live_covenant_headroom_50pct DOUBLE,
  live_charge_level VARCHAR,
  live_discharge_risk VARCHAR,
  live_risk_tier VARCHAR,
  live_breach_probability_1y DOUBLE,
  ap_z DOUBLE,
  ecs_z DOUBLE,
  lsi_z DOUBLE,
  mp_z DOUBLE,
  st_z DOUBLE,
  live_ap_z DOUBLE,
  live_ecs_z DOUBLE,
  live_lsi_z DOUBLE,
  live_mp_z DOUBLE,
  live_st_z DOUBLE,
  live_stress_delta_24h DOUBLE,
  live_stress_delta_7d DOUBLE,
  btc_24h_change_pct DOUBLE,
  btc_7d_change_pct DOUBLE,
  live_resonance_status VARCHAR,
  stress_velocity VARCHAR,
  market_regime VARCHAR,
  payload VARCHAR NOT NULL,
  resolution_trail VARCHAR
);

-- how each input stood on the night of the build, for view coverage
CREATE TABLE IF NOT EXISTS input_state (
  input_id VARCHAR NOT NULL,
  status VARCHAR NOT NULL,
  -- the oldest night whose rows stand in for what is missing
  kept_from DATE
);

-- which inputs the rows of a table follow from, and which of its columns do so without it
CREATE TABLE IF NOT EXISTS table_input (table_name VARCHAR NOT NULL, input_id VARCHAR NOT NULL, columns_without VARCHAR NOT NULL);

CREATE TABLE IF NOT EXISTS note_meaning (note VARCHAR NOT NULL, meaning VARCHAR NOT NULL);

-- preferred stock of a balance sheet as companyfacts carries it, permanent and redeemable
CREATE TABLE IF NOT EXISTS preferred_stock (
  cik VARCHAR NOT NULL,
  accession VARCHAR NOT NULL,
  period DATE NOT NULL,
  amount DOUBLE NOT NULL
);
