import { describe, expect, it } from 'vitest';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { towerThresholds } from '../../data/contract/payloads/universe/readiness.ts';
import registry from '../../data/registry/parameters.json' with { type: 'json' };
import { registryParameters, registryTables } from '../../fixtures/builders/registryParameters.ts';
import { parseParameters } from './parameters.ts';

describe('parameter registry (M13.1)', () => {
  const parameters = registryParameters;

  it('holds the versions of the registry', () => {
    const { field_map: fieldMap, ...versions } = registry.versions;
    expect(parameters).toMatchObject({
      version: registry.version,
      coreModel: registry.core_model,
      classificationVersion: registry.classification_version,
      versions: { ...versions, fieldMap },
    });
  });

  it('holds the stress parameters of the methodology (M13.1)', () => {
    expect(parameters).toMatchObject({
      referenceCovenantLtv: 0.65,
      stressBands: { moderate: 0.5, high: 0.65, critical: 1 },
      chargeBands: { elevated: 0.5, critical: 0.83 },
      stressCap: 1000,
      indicatorCaps: { ap: 1000, lsi: 100 },
      breachBands: { medium: 0.05, high: 0.25 },
      breachHorizonYears: 1,
      volatility: { BTC: 0.6, ETH: 0.75, SOL: 0.9, LTC: 0.8, other: 1 },
      notch: { ownZ: 1, mp: 1 },
      robustZ: { madScale: 1.486, meanDeviationScale: 1.253314, clip: 3.5, minIssuers: 12 },
      marketPressure: { returnDays: 30, windowDays: 365, minDays: 60 },
      resonanceAbsM: 1,
      livePriceMaxAgeHours: 36,
      velocityBand: 0.05,
    });
    expect(parameters.regime).toEqual({
      synchronization: { correlation: 0.85, volatilityRatio: 1.1 },
      trend: { momentum: 0.05, volatilityRatio: 1 },
      minCloses: 91,
      shortVolatilityDays: 30,
      longVolatilityDays: 90,
      momentumDays: 30,
      averageDays: 90,
      correlationDays: 30,
      confirmationDays: 2,
      daysPerYear: 365,
      basket: ['BTC', 'ETH', 'SOL', 'LTC', 'LINK', 'DOGE', 'ADA', 'AVAX'],
    });
  });

  it('holds the resolution and age parameters of the methodology (M13.1)', () => {
    expect(parameters).toMatchObject({
      priceCheck: 0.1,
      identityTolerance: 0.001,
      candidateDisagreement: 0.05,
      bankDeposits: { ofLiabilities: 0.1, unread: 0.25, interestOfRevenue: 0.01 },
      unitsCompleteness: 0.1,
      filingAgeDays: { fresh: 135, usable: 200, unclassified: 400 },
      boardMaxAgeDays: 200,
      priceSourceOrder: ['cryptocompare', 'coingecko', 'yahoo'],
      priceConflict: 0.02,
      priceLookbackDays: 3,
      closeBounds: {
        floor: 1e-10,
        ceiling: 1e7,
        dailyFactor: 5,
        gapFactor: 100,
        sourceFactor: 1.5,
        agreement: 0.1,
        restartDays: 3,
        restatedShare: 0.1,
      },
      zeroDebt: { identifiedShare: 0.9, liabilitiesOfAssets: 0.01, interestOfAssets: 0.001 },
      qualityPoints: { high: 7, medium: 4 },
      qualityWeights: {
        linkbaseBacked: 2,
        calculationPass: 1,
        calculationFail: -1,
        fairValue: 2,
        unitsAtClose: 1,
        identitiesHold: 1,
        nothingBlocked: 1,
        fresh: 1,
        old: -1,
      },
      coreTier: { rootedConcepts: 3 },
      flowDays: { annualMin: 350, annualMax: 380, quarterMax: 100 },
    });
  });

  it('holds the weights and tables of the alpha score (M5.3–M5.11)', () => {
    const { alpha } = parameters;
    const ofTables = { ...alpha, weights: Object.values(alpha.weights).map((w) => Object.values(w)) };
    expect(ofTables).toEqual({
      weights: [
        [50, 15, 20, 15],
        [45, 25, 15, 15],
        [40, 40, 20],
      ],
      coverage: {
        resolved_nonzero: 40,
        legitimate_zero_debt: 40,
        resolved_zero: 24,
        low_confidence_missing_debt: 0,
      },
      source: { linkbase_rollup: 32, linkbase_rooted_facts: 24, direct_facts_fallback: 12 },
      quality: { High: 28, Medium: 16, Low: 0 },
      disclosure: {
        reported_quantity: 100,
        fair_value_implied_btc: 60,
        fair_value_implied_eth: 60,
        fair_value_implied_other: 60,
        fair_value_disclosed: 60,
        mixed_unallocated: 0,
        carrying_value_lower_bound: 20,
        unavailable: 0,
      },
      toleratedStress: {
        bullish_low_vol: 1,
        bullish_rising_vol: 0.83,
        neutral: 0.65,
        bearish_falling_vol: 0.5,
        bearish_high_vol: 0.35,
        high_synchronization_risk: 0.25,
      },
      regimeBonus: {
        bullish_low_vol: 100,
        bullish_rising_vol: 83,
        neutral: 67,
        bearish_falling_vol: 50,
        bearish_high_vol: 28,
        high_synchronization_risk: 17,
      },
      deltaScale: 0.15,
      debtBuffer: { empty: 1, full: 0.65 },
      resonance: { points: 12, absM: 1 },
      unrankedPeerScore: 50,
      towerModifier: {
        oscillator: 25,
        falling: 100,
        stable: 75,
        rising: 50,
        risingWithCluster: 25,
        unknown: 25,
      },
      treasuryClass: { strong: 70, moderate: 40 },
      posture: { resilienceCandidate: 70, regimeDependent: 50 },
    });
    expect(parameters.dominantAsset).toEqual({ dominantShare: 0.6, mixedShare: 0.2 });
  });

  it('holds the limits of changes, choreography and field maps (M6, M7, M9)', () => {
    expect(parameters).toMatchObject({
      rankDirection: '1_is_highest_risk',
      partialSlice: 0.9,
      statedUnitsConfidence: { '8-K': 'Medium', '6-K': 'Medium' },
      freshnessWindowHours: 36,
      dailyChangeGate: { minRatio: 0.2, maxRatio: 5, medianDays: 20, minDays: 5 },
      deltaWindow: { maxLagBusinessDays: 5 },
      issuerType: { cryptoShareOfAssets: 0.95 },
      issuerClass: { treasuryShareOfAssets: 0.25 },
      preIpo: {
        points: {
          noTicker: 2,
          registration: 3,
          notEffective: 1,
          periodic: -4,
          listingForm: 1,
          withdrawal: -3,
          blankCheck: -2,
        },
        high: 5,
        medium: 3,
        low: 1,
        registrationMonths: 18,
      },
      backtest: { embargoDays: 1, horizonMonths: 12, minEvents: 10, permutations: 9999, seed: 20260207 },
      choreography: {
        shelfTakedown: { beforeBusinessDays: 1, afterBusinessDays: 3, closesAfterYears: 3 },
        staffReview: { gapDays: 60, anchorDays: 180, releaseBusinessDays: 20 },
        lateFiling: { annualDays: 15, quarterlyDays: 5 },
      },
      fieldMap: {
        window: { points: 30, minPoints: 5, changePoints: 5 },
        thresholds: { compression: 0.7, release: 0.15, change: 0.15, quiet: 0.3 },
        events: { count: 3, days: 14 },
        reads: { low: 1 / 3, mid: 2 / 3, mediumPoints: 10, highPoints: 30 },
      },
    });
  });

  it('holds the windows and the threshold contract of the perps factors (M8)', () => {
    expect(parameters.perps).toMatchObject({
      buckets: {
        '15m': { minutes: 15, window: 2880, minBuckets: 672, staleHours: 2 },
        '1h': { minutes: 60, window: 720, minBuckets: 168, staleHours: 6 },
        '1d': { minutes: 1440, window: 90, minBuckets: 30, staleHours: 48 },
      },
      pressureBands: { balanced: -0.75, building: 0.75, elevated: 1.5, extreme: 2.5 },
      coverage: { issuerWeight: 0.5, pricedWeight: 0.9, priceMaxAgeHours: 24, mappedWeight: 0.95 },
      singleName: 0.75,
      eventPasses: { confirmed: 3, watch: 1 },
      ranking: { midpoint: 50, perPressure: 20, balanced: 35, building: 65, elevated: 80, extreme: 100 },
    });
    expect(parameters.perps.thresholdContract.map((t) => [t.thresholdId, t.operator, t.threshold])).toEqual([
      ['pressure', '>=', 1.5],
      ['funding_annualized_abs', '>=', 0.3],
      ['basis_bps_abs', '>=', 25],
      ['oi_change_24h', '>=', 0.15],
      ['vol_ratio', '>=', 1.25],
      ['breadth', '<=', 0.35],
    ]);
  });

  it('keeps values that two rules share equal', () => {
    const { alpha, tower, perps } = parameters;
    for (const weights of Object.values(alpha.weights))
      expect(Object.values(weights).reduce((sum, w) => sum + w, 0)).toBe(100);
    expect(tower).toMatchObject({
      version: parameters.versions.tower,
      resonance_abs_m: parameters.resonanceAbsM,
      direction_band_7d: parameters.velocityBand,
      high_stress_min: parameters.stressBands.high,
    });
    expect(alpha.debtBuffer).toEqual({
      empty: parameters.stressBands.critical,
      full: parameters.referenceCovenantLtv,
    });
    // the bands of the score are the bands of pressure under 50 + 20 P (M8.17)
    const { midpoint, perPressure, ...bands } = perps.ranking;
    for (const [band, from] of Object.entries(perps.pressureBands))
      expect(midpoint + perPressure * from).toBe(bands[band as keyof typeof bands]);
  });

  it('publishes the tower thresholds verbatim (M5.15)', () => {
    expect(towerThresholds.parse(parameters.tower)).toEqual({
      version: registry.versions.tower,
      min_issuers: 12,
      isolated_max: 0.4,
      building_min: 0.4,
      synchronized_min: 0.7,
      direction_band_7d: 0.05,
      high_stress_min: 0.65,
      resonance_abs_m: 1,
      tie_order: ['rising', 'stable', 'falling'],
    });
  });

  it.each([
    ['null', null, 'the file'],
    ['an empty object', {}, 'parameters'],
    [
      'a threshold of another type',
      withEntry('stress_cap', { value: '1000', rule: 'M3.3', source: 's' }),
      'stress_cap',
    ],
    [
      'an entry without its source',
      withEntry('stress_cap', { value: 1000, rule: 'M3.3' }),
      'stress_cap.source',
    ],
    ['a missing entry', withEntry('price_check', undefined), 'price_check'],
    [
      'a table with a word the method does not know',
      withEntry('alpha_quality_points', {
        ...registry.parameters.alpha_quality_points,
        value: { High: 28, Medium: 16, Low: 0, Good: 20 },
      }),
      'alpha_quality_points.Good',
    ],
    [
      'a table without one of its words',
      withEntry('alpha_quality_points', {
        ...registry.parameters.alpha_quality_points,
        value: { High: 28, Low: 0 },
      }),
      'alpha_quality_points.Medium',
    ],
    [
      'an unknown direction',
      withEntry('tower', {
        ...registry.parameters.tower,
        value: { ...registry.parameters.tower.value, tie_order: ['up'] },
      }),
      'tower.tie_order',
    ],
    [
      'a window of other days than the server’s',
      withEntry('delta_window', {
        ...registry.parameters.delta_window,
        value: { ...registry.parameters.delta_window.value, max_days: 62 },
      }),
      'delta_window.max_days',
    ],
  ])('refuses %s and names where', (_, json, name) => {
    let refusal: unknown;
    try {
      parseParameters(json, registryTables);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(IssuerError);
    expect(refusal).toMatchObject({ code: 'validation_failed', details: { name } });
  });
});

function withEntry(name: string, entry: unknown) {
  return { ...registry, parameters: { ...registry.parameters, [name]: entry } };
}
