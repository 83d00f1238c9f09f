-- Alpha scores and cross-sections for analysts; every column has a comment.

CREATE OR REPLACE VIEW alpha AS
SELECT source_date, method_version, cik, ticker, issuer_type, alpha_score, debt_cleanliness, stress_resilience,
  regime_fit, treasury_strength_score, coverage_points, source_points, quality_points, inverse_live_stress,
  delta_stability_proxy, debt_buffer_strength, treasury_cushion, stress_alignment, peer_relative_strength,
  treasury_regime_bonus, tower_participation_modifier, asset_ratio, net_coverage, disclosure, treasury_strength,
  dominant_treasury_asset, research_posture, equity_cushion, own_z, market_z, peer_rank, peer_percentile,
  unranked_reason, raw_rank, board_rank, rank_delta, failed_gate, market_regime, tower_status, tower_coherence,
  payload
FROM internal.alpha_row;

COMMENT ON VIEW alpha IS 'Alpha scores, their parts, ranks and board gates of every night and method version (METHODOLOGY 4, 5). Key: source_date, method_version, cik';
COMMENT ON COLUMN alpha.source_date IS 'Date of the slice the row belongs to';
COMMENT ON COLUMN alpha.method_version IS 'Version of the rules that made the row (M10.4)';
COMMENT ON COLUMN alpha.cik IS 'Central Index Key of the registrant, ten digits';
COMMENT ON COLUMN alpha.ticker IS 'Canonical ticker, or the CIK of an issuer without one (I1.18)';
COMMENT ON COLUMN alpha.issuer_type IS 'Kind of registrant (I2.1 IssuerType)';
COMMENT ON COLUMN alpha.alpha_score IS 'Quarter of the sum of the four pillars, rounded down, 0 to 100 (M5.1)';
COMMENT ON COLUMN alpha.debt_cleanliness IS 'Pillar: how cleanly debt is resolved (M5.3)';
COMMENT ON COLUMN alpha.stress_resilience IS 'Pillar: level, motion and absorption of stress (M5.4)';
COMMENT ON COLUMN alpha.regime_fit IS 'Pillar: fit to the market regime and the peers (M5.5)';
COMMENT ON COLUMN alpha.treasury_strength_score IS 'Pillar: weight, net coverage and disclosure of the coins (M5.9)';
COMMENT ON COLUMN alpha.coverage_points IS 'Part of debt_cleanliness: debt coverage status';
COMMENT ON COLUMN alpha.source_points IS 'Part of debt_cleanliness: how the totals were assembled';
COMMENT ON COLUMN alpha.quality_points IS 'Part of debt_cleanliness: quality flag';
COMMENT ON COLUMN alpha.inverse_live_stress IS 'Part of stress_resilience: 100 less stress, 0 from 1 on';
COMMENT ON COLUMN alpha.delta_stability_proxy IS 'Part of stress_resilience: small rises over a day and a week';
COMMENT ON COLUMN alpha.debt_buffer_strength IS 'Part of stress_resilience: room after a 70 % fall';
COMMENT ON COLUMN alpha.treasury_cushion IS 'Part of stress_resilience: equity after a 50 % fall';
COMMENT ON COLUMN alpha.stress_alignment IS 'Part of regime_fit: stress against what the regime tolerates (M5.5)';
COMMENT ON COLUMN alpha.peer_relative_strength IS 'Part of regime_fit: percentile among the peers (M5.6)';
COMMENT ON COLUMN alpha.treasury_regime_bonus IS 'Part of regime_fit: treasury strength as the regime lets it count (M5.7)';
COMMENT ON COLUMN alpha.tower_participation_modifier IS 'Part of regime_fit: evidence and direction against the cluster (M5.8)';
COMMENT ON COLUMN alpha.asset_ratio IS 'Part of treasury_strength_score: coins over assets';
COMMENT ON COLUMN alpha.net_coverage IS 'Part of treasury_strength_score: coins less debt over coins';
COMMENT ON COLUMN alpha.disclosure IS 'Part of treasury_strength_score: how the units were found';
COMMENT ON COLUMN alpha.treasury_strength IS 'strong, moderate or weak (M5.9)';
COMMENT ON COLUMN alpha.dominant_treasury_asset IS 'bitcoin, ethereum, mixed or unknown (M5.10)';
COMMENT ON COLUMN alpha.research_posture IS 'What a reader should look at next (M5.11)';
COMMENT ON COLUMN alpha.equity_cushion IS 'ecs the score read, live where live; null when it is not known (M3.13)';
COMMENT ON COLUMN alpha.own_z IS 'Own stress the score read, live where live; null without a cross-section (M3.16)';
COMMENT ON COLUMN alpha.market_z IS 'Market pressure the score read, live where live (M3.14)';
COMMENT ON COLUMN alpha.peer_rank IS '1 is the most stressed; null when unranked (M4.2)';
COMMENT ON COLUMN alpha.peer_percentile IS 'Mid-rank percentile, higher is more resilient; null when unranked (M4.3)';
COMMENT ON COLUMN alpha.unranked_reason IS 'Why there is no rank; null when ranked (M4.5)';
COMMENT ON COLUMN alpha.raw_rank IS 'Place among all issuers by alpha score alone (M5.19)';
COMMENT ON COLUMN alpha.board_rank IS 'Place on the opportunity board; null when a gate keeps the issuer off it (M5.16)';
COMMENT ON COLUMN alpha.rank_delta IS 'raw_rank less board_rank; negative is demoted (M5.19)';
COMMENT ON COLUMN alpha.failed_gate IS 'First gate that fails; null on the board (M5.16)';
COMMENT ON COLUMN alpha.market_regime IS 'Regime of the slice, unavailable where it cannot be read (M3.22)';
COMMENT ON COLUMN alpha.tower_status IS 'Whether well-measured indebted issuers move together (M5.13)';
COMMENT ON COLUMN alpha.tower_coherence IS 'Share of them in the modal direction; null with too few (M5.13)';
COMMENT ON COLUMN alpha.payload IS 'The published alpha-signals payload, canonical JSON';

CREATE OR REPLACE VIEW cross_sections AS
SELECT source_date, method_version, basis, indicator, issuers, median, mad, mean_deviation
FROM internal.cross_section_row;

COMMENT ON VIEW cross_sections IS 'Median, MAD and n behind the z-scores of every night and method version (METHODOLOGY M3.15). Key: source_date, method_version, basis, indicator';
COMMENT ON COLUMN cross_sections.source_date IS 'Date of the slice';
COMMENT ON COLUMN cross_sections.method_version IS 'Version of the rules that made the row (M10.4)';
COMMENT ON COLUMN cross_sections.basis IS 'filing: coins as filed; live: coins at the closes of source_date';
COMMENT ON COLUMN cross_sections.indicator IS 'ap asset pressure, ecs equity cushion or lsi liquidity stress (M3.13)';
COMMENT ON COLUMN cross_sections.issuers IS 'Issuers of the universe that have the indicator; fewer than 12 give no z';
COMMENT ON COLUMN cross_sections.median IS 'Median of the indicator, unrounded';
COMMENT ON COLUMN cross_sections.mad IS 'Median absolute deviation from the median, unrounded';
COMMENT ON COLUMN cross_sections.mean_deviation IS 'Mean absolute deviation from the median, the scale where mad is 0';
