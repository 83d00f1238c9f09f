import { deltaWindowDays } from '../../data/contract/payloads/universe/dailyChanges.ts';
import type { ReadinessArtifact } from '../../data/contract/payloads/universe/readiness.ts';
import * as e from '../../data/contract/values/enums.ts';
import { type Concepts, type ConceptTables, conceptTable } from './concepts.ts';
import { type PerpsParameters, perpsParameters } from './perpsParameters.ts';
import {
  list,
  type Named,
  number,
  type RegistryReader,
  record,
  refused,
  registryReader,
  text,
} from './registryReader.ts';

/** The parts of the method with a version of their own; each also belongs to the parameter version. */
type PartVersions = Readonly<Record<'alpha' | 'tower' | 'fieldMap' | 'perps' | 'volatility', string>>;

/** Every threshold the calculators use (M13.1); values come from `data/registry/parameters.json`. */
export type Parameters = {
  readonly version: string;
  readonly coreModel: string;
  readonly classificationVersion: string;
  readonly versions: PartVersions;
  /** Concepts of the standard taxonomies and the words of other names. */
  readonly concepts: Concepts;
} & ResolutionParameters &
  StressParameters &
  AlphaParameters &
  EventParameters &
  PerpsParameters;

/**
 * Reads the parameter registry and the tables of concepts and words into {@link Parameters} (M13.1).
 *
 * @throws IssuerError `validation_failed` naming the first entry that is missing, has another type or lacks
 * its rule or source.
 */
export function parseParameters(json: unknown, tables: ConceptTables): Parameters {
  const file = record(json, 'the file');
  const reader = registryReader(record(file['parameters'], 'parameters'));
  return {
    version: text(file['version'], 'version'),
    coreModel: text(file['core_model'], 'core_model'),
    classificationVersion: text(file['classification_version'], 'classification_version'),
    versions: partVersions(file['versions']),
    concepts: conceptTable(tables),
    ...resolutionParameters(reader),
    ...stressParameters(reader),
    ...alphaParameters(reader),
    ...eventParameters(reader),
    ...perpsParameters(reader),
  };
}

function partVersions(value: unknown): PartVersions {
  const versions = record(value, 'versions');
  const version = (part: string) => text(versions[part], `versions.${part}`);
  return {
    alpha: version('alpha'),
    tower: version('tower'),
    fieldMap: version('field_map'),
    perps: version('perps'),
    volatility: version('volatility'),
  };
}

/** Thresholds of stress, z-scores, resonance, the live overlay and the regime (METHODOLOGY section 3). */
function stressParameters({ num, numbers, record, texts }: RegistryReader) {
  return {
    referenceCovenantLtv: num('reference_covenant_ltv'),
    stressBands: numbers('stress_bands', 'moderate', 'high', 'critical'),
    chargeBands: numbers('charge_bands', 'elevated', 'critical'),
    stressCap: num('stress_cap'),
    /** Caps of the ratios inside ln(1 + x) (M3.13). */
    indicatorCaps: numbers('indicator_caps', 'ap', 'lsi'),
    breachBands: numbers('breach_bands', 'medium', 'high'),
    breachHorizonYears: num('breach_horizon_years'),
    volatility: volatilityTable(record('volatility')),
    livePriceMaxAgeHours: num('live_price_max_age_hours'),
    /** Relative seven-day change of stress from which it is rising or falling (M3.19). */
    velocityBand: num('velocity_band'),
    /** Adverse resonance from these z on makes a tier one notch worse (M3.9). */
    notch: numbers('notch', 'ownZ', 'mp'),
    robustZ: numbers('robust_z', 'madScale', 'meanDeviationScale', 'clip', 'minIssuers'),
    marketPressure: numbers('market_pressure', 'returnDays', 'windowDays', 'minDays'),
    resonanceAbsM: num('resonance_abs_m'),
    regime: {
      synchronization: numbers('regime_synchronization', 'correlation', 'volatilityRatio'),
      trend: numbers('regime_trend', 'momentum', 'volatilityRatio'),
      ...numbers(
        'regime_windows',
        'minCloses',
        'shortVolatilityDays',
        'longVolatilityDays',
        'momentumDays',
        'averageDays',
        'correlationDays',
        'confirmationDays',
        'daysPerYear',
      ),
      basket: texts('regime_basket'),
    },
  };
}

type StressParameters = Readonly<ReturnType<typeof stressParameters>>;

/** Annual volatility by asset symbol; `other` is the rest. */
function volatilityTable(table: Named<unknown>): Named<number> & { readonly other: number } {
  const pairs = Object.entries(table).map(([asset, v]) => [asset, number(v, `volatility.${asset}`)]);
  return {
    ...(Object.fromEntries(pairs) as Named<number>),
    other: number(table['other'], 'volatility.other'),
  };
}

/** Limits of daily changes, classification, choreography, field maps, readiness and the backtest (METHODOLOGY 6, 7, 9, 12.4, 13.3). */
function eventParameters({ num, numbers, record, value }: RegistryReader) {
  return {
    rankDirection: rankDirection(value('rank_direction')),
    /** A slice with fewer rows than this share of the slice before is partial (I2.46). */
    partialSlice: num('partial_slice'),
    /** Least confidence of a stated stock that moves live units, by form (M17.40). */
    statedUnitsConfidence: leastConfidence(record('stated_units_confidence')),
    freshnessWindowHours: num('freshness_window_hours'),
    dailyChangeGate: numbers('daily_change_gate', 'minRatio', 'maxRatio', 'medianDays', 'minDays'),
    archiveScan: numbers('archive_scan', 'lostShare', 'keptDays'),
    deltaWindow: deltaWindow(numbers('delta_window', 'maxLagBusinessDays', 'maxDays', 'defaultDays')),
    issuerType: numbers('issuer_type', 'cryptoShareOfAssets'),
    issuerClass: numbers('issuer_class', 'treasuryShareOfAssets'),
    preIpo: {
      points: numbers(
        'pre_ipo_points',
        'noTicker',
        'registration',
        'notEffective',
        'periodic',
        'listingForm',
        'withdrawal',
        'blankCheck',
      ),
      ...numbers('pre_ipo_bands', 'high', 'medium', 'low', 'registrationMonths'),
    },
    choreography: {
      shelfTakedown: numbers('shelf_takedown', 'beforeBusinessDays', 'afterBusinessDays', 'closesAfterYears'),
      staffReview: numbers('staff_review', 'gapDays', 'anchorDays', 'releaseBusinessDays'),
      lateFiling: numbers('late_filing', 'annualDays', 'quarterlyDays'),
      initialOffering: numbers('initial_offering', 'listingDays', 'registrationYears'),
      merger: numbers('merger', 'agreementDays', 'closingDays'),
    },
    backtest: numbers('backtest', 'embargoDays', 'horizonMonths', 'minEvents', 'permutations', 'seed'),
    fieldMap: {
      window: numbers('field_map_window', 'points', 'minPoints', 'changePoints'),
      thresholds: numbers('field_map_thresholds', 'compression', 'release', 'change', 'quiet'),
      events: numbers('field_map_events', 'count', 'days'),
      reads: numbers('field_map_reads', 'low', 'mid', 'mediumPoints', 'highPoints'),
    },
  };
}

type EventParameters = Readonly<ReturnType<typeof eventParameters>>;

/** Forms of current reports, amendments with them. */
export type ReportForm = '8-K' | '6-K';

function leastConfidence(table: Named<unknown>): Readonly<Record<ReportForm, 'High' | 'Medium' | 'none'>> {
  const name = 'stated_units_confidence';
  const stray = Object.keys(table).find((form) => form !== '8-K' && form !== '6-K');
  if (stray !== undefined) throw refused(`${name}.${stray}`, 'the forms 8-K and 6-K alone');
  const of = (form: ReportForm) => {
    const least = table[form];
    if (least === 'High' || least === 'Medium' || least === 'none') return least;
    throw refused(`${name}.${form}`, 'High, Medium or none');
  };
  return { '8-K': of('8-K'), '6-K': of('6-K') };
}

function rankDirection(value: unknown): '1_is_highest_risk' {
  if (value === '1_is_highest_risk') return value;
  throw refused('rank_direction', '1_is_highest_risk');
}

/** The days of a window are the server's, which reads no registry (I3.21). */
function deltaWindow({
  maxLagBusinessDays,
  maxDays,
  defaultDays,
}: Readonly<Record<'maxLagBusinessDays' | 'maxDays' | 'defaultDays', number>>) {
  const { most, byDefault } = deltaWindowDays;
  if (maxDays !== most) throw refused('delta_window.max_days', `${most}, which the server uses,`);
  if (defaultDays !== byDefault)
    throw refused('delta_window.default_days', `${byDefault}, which the server uses,`);
  return { maxLagBusinessDays };
}

/** Weights and tables of the alpha score, the board and the tower (METHODOLOGY section 5). */
function alphaParameters({ num, numbers, record, table }: RegistryReader) {
  return {
    alpha: {
      weights: {
        stressResilience: table('alpha_stress_resilience_weights', [
          'inverse_live_stress',
          'delta_stability_proxy',
          'debt_buffer_strength',
          'treasury_cushion',
        ]),
        regimeFit: table('alpha_regime_fit_weights', [
          'stress_alignment',
          'peer_relative_strength',
          'treasury_regime_bonus',
          'tower_participation_modifier',
        ]),
        treasuryStrength: table('alpha_treasury_strength_weights', [
          'asset_ratio',
          'net_coverage',
          'disclosure',
        ]),
      },
      coverage: table('alpha_coverage_points', e.debtCoverages),
      source: table('alpha_source_points', e.dataSources),
      quality: table('alpha_quality_points', e.qualityFlags),
      disclosure: table('alpha_disclosure_points', e.cryptoUnitsBases),
      /** τ: the stress_50 a regime tolerates (M5.5). */
      toleratedStress: table('alpha_tolerated_stress', e.marketRegimes),
      /** B: the percent of treasury strength a regime lets count (M5.7). */
      regimeBonus: table('alpha_regime_bonus', e.marketRegimes),
      deltaScale: num('alpha_delta_scale'),
      /** stress_70 at which the buffer is empty and full (M5.4). */
      debtBuffer: numbers('alpha_debt_buffer', 'empty', 'full'),
      resonance: numbers('alpha_resonance', 'points', 'absM'),
      unrankedPeerScore: num('alpha_unranked_peer_score'),
      towerModifier: numbers(
        'alpha_tower_modifier',
        'oscillator',
        'falling',
        'stable',
        'rising',
        'risingWithCluster',
        'unknown',
      ),
      treasuryClass: numbers('alpha_treasury_class', 'strong', 'moderate'),
      posture: numbers('alpha_posture', 'resilienceCandidate', 'regimeDependent'),
    },
    dominantAsset: numbers('dominant_asset', 'dominantShare', 'mixedShare'),
    boardMaxAgeDays: num('board_max_age_days'),
    tower: towerThresholds(record('tower')),
  };
}

type AlphaParameters = Readonly<ReturnType<typeof alphaParameters>>;

function towerThresholds(tower: Named<unknown>): ReadinessArtifact['tower_thresholds'] {
  const num = (key: string) => number(tower[key], `tower.${key}`);
  return {
    version: text(tower['version'], 'tower.version'),
    min_issuers: num('min_issuers'),
    isolated_max: num('isolated_max'),
    building_min: num('building_min'),
    synchronized_min: num('synchronized_min'),
    direction_band_7d: num('direction_band_7d'),
    high_stress_min: num('high_stress_min'),
    resonance_abs_m: num('resonance_abs_m'),
    tie_order: list(tower['tie_order'], 'tower.tie_order').map((v) => {
      if (v === 'rising' || v === 'stable' || v === 'falling') return v;
      throw refused('tower.tie_order', 'a list of rising, stable, falling');
    }),
  };
}

/** Thresholds of debt, coins, quality, flows and prices (METHODOLOGY sections 1, 2 and 10.2). */
function resolutionParameters({ num, numbers, text, texts }: RegistryReader) {
  return {
    priceCheck: num('price_check'),
    identityTolerance: num('identity_tolerance'),
    candidateDisagreement: num('candidate_disagreement'),
    principalExcess: num('principal_excess'),
    /** Up to this difference an ancestor and its parts are one amount (M1.34b). */
    oneAmount: num('one_amount'),
    liabilitiesResidual: numbers('liabilities_residual', 'ofTotal', 'ofDebt'),
    impliedInterest: numbers('implied_interest', 'maxRate', 'minDays'),
    /** From where on deposits, and interest on them, are those of a bank (M1.47). */
    bankDeposits: numbers('bank_deposits', 'ofLiabilities', 'unread', 'interestOfRevenue'),
    /** Bounds of the balance sheet rebuilt from document order (M1.24c). */
    faceOrder: numbers('face_order', 'linesMax', 'spanMax', 'twinsMax', 'stepsMax'),
    cryptoDisagreement: num('crypto_disagreement'),
    noteToFaceLines: num('note_to_face_lines'),
    coinEvidenceOfAssets: num('coin_evidence_of_assets'),
    /** Least crypto_share_of_assets of core and of material (M3.25). */
    treasuryRelevance: numbers('treasury_relevance', 'core', 'material'),
    unitsCompleteness: num('units_completeness'),
    intangibleShareOfAssets: num('intangible_share_of_assets'),
    fairValueAdoption: text('fair_value_adoption'),
    anomalousAssetsRatio: num('anomalous_assets_ratio'),
    zeroDebt: numbers(
      'zero_debt_corroboration',
      'identifiedShare',
      'liabilitiesOfAssets',
      'interestOfAssets',
    ),
    filingAgeDays: numbers('filing_age_days', 'fresh', 'usable', 'unclassified'),
    /** Least points of High and of Medium (M1.41). */
    qualityPoints: numbers('quality_points', 'high', 'medium'),
    /** Points each finding adds (M1.40). */
    qualityWeights: numbers(
      'quality_weights',
      'linkbaseBacked',
      'calculationPass',
      'calculationFail',
      'fairValue',
      'unitsAtClose',
      'identitiesHold',
      'nothingBlocked',
      'fresh',
      'old',
    ),
    coreTier: numbers('core_tier', 'rootedConcepts'),
    flowDays: numbers('flow_days', 'annualMin', 'annualMax', 'quarterMax'),
    /** Joins, excesses and the readings of a filed ratio (M16.3–M16.7). */
    facilities: numbers(
      'facilities',
      'collateralLow',
      'collateralHigh',
      'faceOverCarrying',
      'debtExcess',
      'ltvCeiling',
      'percentCeiling',
      'coverageCeiling',
      'soleAsset',
    ),
    priceSourceOrder: texts('price_source_order'),
    priceLookbackDays: num('price_lookback_days'),
    priceConflict: num('price_conflict'),
    /** What a close may be, and how far it may lie from the one before and from other sources (M2.13b). */
    closeBounds: numbers(
      'close_bounds',
      'floor',
      'ceiling',
      'dailyFactor',
      'gapFactor',
      'sourceFactor',
      'agreement',
      'restartDays',
      'restatedShare',
    ),
  };
}

type ResolutionParameters = Readonly<ReturnType<typeof resolutionParameters>>;
