import type { RegistryReader } from './registryReader.ts';

/** Thresholds of debt, coins, quality, flows and prices (METHODOLOGY sections 1, 2 and 10.2). */
export function resolutionParameters({ num, numbers, text, texts }: RegistryReader) {
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

export type ResolutionParameters = Readonly<ReturnType<typeof resolutionParameters>>;
