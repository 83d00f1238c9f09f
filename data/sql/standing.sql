-- How issuers stand to each other and how they score, one row an issuer of every night. Run in every build.

-- row key (source_date, method_version, cik) (M10.4)
CREATE TABLE IF NOT EXISTS alpha_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  cik VARCHAR NOT NULL,
  ticker VARCHAR NOT NULL,
  issuer_type VARCHAR NOT NULL,
  alpha_score INTEGER NOT NULL,
  debt_cleanliness INTEGER NOT NULL,
  stress_resilience INTEGER NOT NULL,
  regime_fit INTEGER NOT NULL,
  treasury_strength_score INTEGER NOT NULL,
  coverage_points INTEGER NOT NULL,
  source_points INTEGER NOT NULL,
  quality_points INTEGER NOT NULL,
  inverse_live_stress INTEGER NOT NULL,
  delta_stability_proxy INTEGER NOT NULL,
  debt_buffer_strength INTEGER NOT NULL,
  treasury_cushion INTEGER NOT NULL,
  stress_alignment INTEGER NOT NULL,
  peer_relative_strength INTEGER NOT NULL,
  treasury_regime_bonus INTEGER NOT NULL,
  tower_participation_modifier INTEGER NOT NULL,
  asset_ratio INTEGER NOT NULL,
  net_coverage INTEGER NOT NULL,
  disclosure INTEGER NOT NULL,
  treasury_strength VARCHAR NOT NULL,
  dominant_treasury_asset VARCHAR NOT NULL,
  research_posture VARCHAR NOT NULL,
  equity_cushion DOUBLE,
  own_z DOUBLE,
  market_z DOUBLE,
  peer_rank INTEGER,
  peer_percentile DOUBLE,
  unranked_reason VARCHAR,
  raw_rank INTEGER NOT NULL,
  board_rank INTEGER,
  rank_delta INTEGER,
  failed_gate VARCHAR,
  market_regime VARCHAR NOT NULL,
  tower_status VARCHAR NOT NULL,
  tower_coherence DOUBLE,
  payload VARCHAR NOT NULL
);

-- row key (source_date, method_version, basis, indicator)
CREATE TABLE IF NOT EXISTS cross_section_row (
  source_date DATE NOT NULL,
  method_version VARCHAR NOT NULL,
  basis VARCHAR NOT NULL,
  indicator VARCHAR NOT NULL,
  issuers INTEGER NOT NULL,
  median DOUBLE NOT NULL,
  mad DOUBLE NOT NULL,
  mean_deviation DOUBLE NOT NULL
);
