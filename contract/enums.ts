// The closed lists of INTERFACE I2.1, stated once.

export const coreTiers = ['Coil', 'Oscillator', 'Tower'] as const;
export const chargeLevels = ['Low', 'Elevated', 'Critical'] as const;
export const dischargeRisks = ['Low', 'Medium', 'High'] as const;
export const resonances = ['Aligned', 'Dissonant', 'Neutral'] as const;
export const riskTiers = ['CRITICAL', 'HIGH', 'MODERATE', 'LOW', 'UNCLASSIFIED'] as const;
export const qualityFlags = ['High', 'Medium', 'Low'] as const;
export const dataSources = ['linkbase_rollup', 'linkbase_rooted_facts', 'direct_facts_fallback'] as const;
export const debtCoverages = [
  'resolved_nonzero',
  'legitimate_zero_debt',
  'low_confidence_missing_debt',
  'resolved_zero',
] as const;
export const marketRegimes = [
  'bullish_low_vol',
  'bullish_rising_vol',
  'bearish_falling_vol',
  'bearish_high_vol',
  'neutral',
  'high_synchronization_risk',
] as const;
export const velocities = ['rising', 'stable', 'falling'] as const;
export const towerStatuses = ['insufficient_data', 'isolated', 'building', 'synchronized'] as const;
export const issuerTypes = [
  'operating_company',
  'foreign_issuer',
  'etf_trust',
  'fund_vehicle',
  'product',
  'unresolved_identifier',
] as const;
export const normQualities = ['high', 'medium', 'low', 'unknown'] as const;
export const briefStyles = ['professional', 'concise', 'trader', 'detailed'] as const;
export const resolutionStatuses = ['resolved', 'resolved_with_notes', 'saturated', 'unresolved'] as const;
export const selectionStrategies = ['latest_periodic', 'latest_amendment', 'as_of_source_date'] as const;
export const tierReasons = ['adverse_resonance', 'shocked_equity_negative'] as const;
export const durationKinds = ['quarter', 'year_to_date', 'annual', 'instant'] as const;
export const flowBases = ['quarter', 'year_to_date', 'annual', 'unknown'] as const;

/** Open list (I2.4): clients accept new values. */
export const cryptoUnitsBases = [
  'reported_quantity',
  'fair_value_implied_btc',
  'fair_value_implied_eth',
  'fair_value_implied_other',
  'mixed_unallocated',
  'carrying_value_lower_bound',
  'unavailable',
] as const;

export type CoreTier = (typeof coreTiers)[number];
export type ChargeLevel = (typeof chargeLevels)[number];
export type DischargeRisk = (typeof dischargeRisks)[number];
export type RiskTier = (typeof riskTiers)[number];
export type QualityFlag = (typeof qualityFlags)[number];
export type DataSource = (typeof dataSources)[number];
export type DebtCoverage = (typeof debtCoverages)[number];
export type IssuerType = (typeof issuerTypes)[number];
export type CryptoUnitsBasis = (typeof cryptoUnitsBases)[number];
export type ResolutionStatus = (typeof resolutionStatuses)[number];
export type SelectionStrategy = (typeof selectionStrategies)[number];
export type TierReason = (typeof tierReasons)[number];
export type DurationKind = (typeof durationKinds)[number];
