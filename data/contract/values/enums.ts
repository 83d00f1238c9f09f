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
/** Which of the two amounts of a row are proven (M3.3c). */
export const figuresBases = ['resolved', 'debt_unproven', 'crypto_unproven', 'both_unproven'] as const;
/** How much of an issuer its coins are (M3.25). */
export const treasuryRelevances = ['core', 'material', 'incidental', 'none'] as const;
export const issuerTypes = [
  'operating_company',
  'foreign_issuer',
  'etf_trust',
  'fund_vehicle',
  'product',
  'unresolved_identifier',
] as const;
export const normQualities = ['high', 'medium', 'low', 'unknown'] as const;
export const treasuryStrengths = ['strong', 'moderate', 'weak'] as const;
export const dominantAssets = ['bitcoin', 'ethereum', 'mixed', 'unknown'] as const;
export const briefStyles = ['professional', 'concise', 'trader', 'detailed'] as const;
/** Why a brief is the baseline in place of a model's text (I2.45). */
export const briefFallbacks = [
  'feature_flag_disabled',
  'apex_timeout',
  'apex_api_error',
  'apex_empty_output',
  'apex_malformed_markdown',
  'apex_validation_failed',
  'apex_policy_blocked',
  'raw_evidence_missing',
] as const;
export const resolutionStatuses = ['resolved', 'resolved_with_notes', 'saturated', 'unresolved'] as const;
export const selectionStrategies = ['latest_periodic', 'latest_amendment', 'as_of_source_date'] as const;
export const tierReasons = ['adverse_resonance', 'shocked_equity_negative'] as const;
export const durationKinds = ['quarter', 'half_year', 'year_to_date', 'annual', 'instant'] as const;
export const flowBases = ['quarter', 'half_year', 'year_to_date', 'annual', 'unknown'] as const;

/** Where no regime exists and the member may not be null, it is `unavailable` (I2.2). */
export const alphaRegimes = [...marketRegimes, 'unavailable'] as const;
export const stressDataStatuses = ['present', 'missing'] as const;
export const treasuryDataStatuses = ['normal', 'anomalous_assets'] as const;
/** Gates of the board in the order they are tried (M5.16, I2.16). */
export const boardGates = [
  'issuer_type',
  'identity_unresolved',
  'stress_missing',
  'quality_low',
  'debt_low_confidence',
  'anomalous_assets',
  'stale_filing',
  'unclassified',
] as const;
/** Why an issuer has no rank (M4.5, I7.6). */
export const unrankedReasons = [
  'issuer_type',
  'universe_small',
  'no_crypto',
  // in slices of older classifications only: low-confidence debt is figures_unproven (M3.3c)
  'low_confidence_debt',
  'stale',
  'anomalous_low_quality',
  'no_row',
  'figures_unproven',
  'coins_incidental',
  'relevance_unknown',
] as const;
export const rankingSources = ['live', 'filing'] as const;
export const rankingStatuses = ['precomputed', 'derived_live'] as const;

export const dailyChangeSelectors = [
  'published_snapshot',
  'served_promoted_issuer_delta',
  'rolled_back_to_promoted_issuer_delta',
  'fallback_unpublished',
] as const;
export const snapshotStatuses = [
  'published',
  'fallback_unpublished',
  'meaningful_delta',
  'current_companyfacts_activity',
  'rolled_back_to_latest_meaningful_delta',
] as const;
/** In the order of I3.21, the two good ones last. */
export const deltaWindowStatuses = [
  'date_window_missing',
  'invalid_date_window',
  'window_too_large',
  'blob_store_unavailable',
  'empty',
  'partial',
  'complete',
] as const;
export const preIpoLikelihoods = ['high', 'medium', 'low', 'none'] as const;
export const tagFamilies = [
  'crypto',
  'debt',
  'equity',
  'liquidity',
  'income',
  'shares',
  'dei',
  'other',
] as const;

export const choreographyConfidences = ['direct', 'derived', 'unresolved'] as const;
export const fieldMapConfidences = ['Low', 'Medium', 'Medium High', 'High'] as const;
/** First match of M9.7. */
export const fieldReads = [
  'Needs Core Confirmation',
  'Event-Dense Watch',
  'Pressure Building',
  'Pressure Cooling',
  'Quiet Field',
  'Monitor',
] as const;
export const normalizationMethods = ['rolling_minmax', 'zscore_to_0_1', 'precomputed'] as const;
export const levelStatuses = ['available', 'partial', 'missing', 'not_applicable'] as const;
export const payloadModes = ['compact', 'full'] as const;
export const auditStatuses = ['healthy', 'degraded', 'unavailable'] as const;

/** Lengths of an observation bucket (M8.2). */
export const bucketLengths = ['15m', '1h', '1d'] as const;
export const materializationStatuses = ['complete', 'partial', 'empty'] as const;
export const marketRowStatuses = ['ok', 'partial', 'stale'] as const;
/** State of pressure, and bands of the ranking, with the same cut-offs (M8.10, M8.17). */
export const marketStates = [
  'relief',
  'balanced',
  'building',
  'elevated',
  'extreme',
  'insufficient_evidence',
] as const;
export const crowdingDirections = ['long_crowding', 'short_crowding', 'none'] as const;
export const bucketStatuses = ['available', 'unavailable'] as const;
export const thresholdOperators = ['>=', '<=', 'abs>='] as const;
export const thresholdResults = ['pass', 'fail', 'unavailable'] as const;
/** By first match of M8.16. */
export const canonicalEventStatuses = [
  'unavailable',
  'blocked',
  'confirmed',
  'watch',
  'not_confirmed',
] as const;
export const parityStatuses = ['confirmed', 'requires_artifact', 'mismatch', 'unavailable'] as const;
export const contributionStatuses = ['available', 'partial', 'unavailable'] as const;
export const contributionBases = ['returns', 'weights_only', 'none'] as const;
export const questionStates = ['answerable', 'partial', 'unavailable', 'artifact_dependent'] as const;

/** Open list (I2.3): clients accept new values; it never holds an instruction to buy, sell or hold. */
export const researchPostures = [
  'data_review_required',
  'stress_watch',
  'resilience_candidate',
  'regime_dependent',
  'monitor',
] as const;
/** Open list (I2.27), by first match of M6.10. */
export const issuerClasses = [
  'crypto_trust_or_etf',
  'shell_or_spac',
  'exchange_or_custodian',
  'miner',
  'crypto_treasury',
  'crypto_financial',
  'digital_asset_adjacent',
  'pre_ipo',
  'operating_other',
] as const;
/** Open list (I2.37). */
export const filingFamilies = [
  'periodic',
  'current_report',
  'registration',
  'prospectus',
  'sec_review',
  'governance',
  'treasury',
  'debt',
  'other',
] as const;

/** Open list (I2.4): clients accept new values. */
export const cryptoUnitsBases = [
  'reported_quantity',
  'fair_value_implied_btc',
  'fair_value_implied_eth',
  'fair_value_implied_other',
  'fair_value_disclosed',
  'mixed_unallocated',
  'carrying_value_lower_bound',
  'unavailable',
] as const;

export type CoreTier = (typeof coreTiers)[number];
export type ChargeLevel = (typeof chargeLevels)[number];
export type DischargeRisk = (typeof dischargeRisks)[number];
export type BriefStyle = (typeof briefStyles)[number];
export type BriefFallback = (typeof briefFallbacks)[number];
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
export type MarketRegime = (typeof marketRegimes)[number];
export type Resonance = (typeof resonances)[number];
export type FiguresBasis = (typeof figuresBases)[number];
export type TreasuryRelevance = (typeof treasuryRelevances)[number];
export type Velocity = (typeof velocities)[number];
export type TowerStatus = (typeof towerStatuses)[number];
export type TreasuryStrength = (typeof treasuryStrengths)[number];
export type DominantAsset = (typeof dominantAssets)[number];
export type NormQuality = (typeof normQualities)[number];
export type ResearchPosture = (typeof researchPostures)[number];
export type BoardGate = (typeof boardGates)[number];
export type UnrankedReason = (typeof unrankedReasons)[number];
export type DailyChangeSelector = (typeof dailyChangeSelectors)[number];
export type SnapshotStatus = (typeof snapshotStatuses)[number];
export type DeltaWindowStatus = (typeof deltaWindowStatuses)[number];
export type PreIpoLikelihood = (typeof preIpoLikelihoods)[number];
export type TagFamily = (typeof tagFamilies)[number];
export type IssuerClass = (typeof issuerClasses)[number];
export type FieldMapConfidence = (typeof fieldMapConfidences)[number];
export type FieldRead = (typeof fieldReads)[number];
export type FilingFamily = (typeof filingFamilies)[number];
export type BucketLength = (typeof bucketLengths)[number];

/** The shared lists of I2.1 by the names the interface gives them. */
export const publishedEnums = {
  CoreTier: coreTiers,
  Level3: chargeLevels,
  Discharge: dischargeRisks,
  Resonance: resonances,
  RiskTier: riskTiers,
  QualityFlag: qualityFlags,
  DataSource: dataSources,
  DebtCoverage: debtCoverages,
  MarketRegime: marketRegimes,
  Velocity: velocities,
  TreasuryStrength: treasuryStrengths,
  DominantAsset: dominantAssets,
  TowerStatus: towerStatuses,
  IssuerType: issuerTypes,
  NormQuality: normQualities,
  ResearchPosture: researchPostures,
  LevelStatus: levelStatuses,
  Style: briefStyles,
} as const satisfies Record<string, readonly string[]>;
