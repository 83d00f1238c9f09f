import type { RegistryReader } from './registryReader.ts';

/** Thresholds of debt, coins, quality, flows and prices (METHODOLOGY sections 1, 2 and 10.2). */
export function resolutionParameters({ num, numbers, text, texts }: RegistryReader) {
  return {
    priceCheck: num('price_check'),
    identityTolerance: num('identity_tolerance'),
    candidateDisagreement: num('candidate_disagreement'),
    principalExcess: num('principal_excess'),
    cryptoDisagreement: num('crypto_disagreement'),
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
    priceSourceOrder: texts('price_source_order'),
    priceLookbackDays: num('price_lookback_days'),
    priceConflict: num('price_conflict'),
  };
}

export type ResolutionParameters = Readonly<ReturnType<typeof resolutionParameters>>;
