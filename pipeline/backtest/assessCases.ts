import {
  areaUnderCurve,
  clusterInterval,
  type Discrimination,
  permutationTest,
} from '../../calculators/backtest/discrimination.ts';
import type { EventType } from '../../calculators/backtest/followUp.ts';
import { type Brier, brierScore } from '../../calculators/backtest/ownEvent.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { type RiskTier, riskTiers } from '../../data/contract/values/enums.ts';
import type { Observation } from './observation.ts';

/** An observation whose horizon is over, with what happened in it. */
export type ScoredObservation = { readonly observation: Observation; readonly event: boolean };

type Interval = { readonly low: number; readonly high: number } | null;

export type MeasureResult = {
  readonly measure: string;
  readonly result: (Discrimination & { readonly pValue: number; readonly interval: Interval }) | null;
};

export type Counts = {
  readonly n: number;
  readonly issuers: number;
  readonly events: number;
  readonly issuersWithEvent: number;
};

export type TierHits = Counts & {
  readonly tier: RiskTier;
  readonly rate: number;
  /** By issuer; null with one issuer, or when all are alike. */
  readonly interval: Interval;
};

export type Assessment = Counts & {
  readonly types: readonly EventType[];
  /** Enough issuers on each side for a measure to be printed. */
  readonly enoughEvents: boolean;
  readonly measures: readonly MeasureResult[];
  readonly brier: Brier | null;
  readonly tiers: readonly TierHits[];
};

type Measure = readonly [name: string, scoreOf: (o: Observation) => number | null];

// a higher score is worse; D/C, stress_30 and stress_70 are monotone in stress_50 and have its AUC (M12.13)
const measures: readonly Measure[] = [
  ['stress_50', ({ stress50 }) => stress50],
  ['D/C unshocked', ({ loanToValue }) => loanToValue],
  ['D/A', ({ debtToAssets }) => debtToAssets],
  ['Altman Z″ (negated)', ({ altmanZ }) => (altmanZ === null ? null : -altmanZ)],
];

/**
 * Discrimination, calibration and hit rates of one set of events (M12.12). One issuer is one cluster: intervals and the
 * permutation test move whole issuers, and below the least number of issuers with an event no measure is given.
 */
export function assessCases(
  cases: readonly ScoredObservation[],
  { types, limits }: { types: readonly EventType[]; limits: Parameters['backtest'] },
): Assessment {
  const counts = countsOf(cases);
  const without = new Set(cases.filter((c) => !c.event).map((c) => c.observation.cik)).size;
  const enoughEvents = Math.min(counts.issuersWithEvent, without) >= limits.minEvents;
  return {
    types,
    ...counts,
    enoughEvents,
    measures: enoughEvents
      ? measures.map(([measure, scoreOf]) => ({ measure, result: measured(cases, scoreOf, limits) }))
      : [],
    brier: brierScore(
      cases.flatMap(({ observation, event }) =>
        observation.breachProbability === null ? [] : [{ probability: observation.breachProbability, event }],
      ),
    ),
    tiers: riskTiers.flatMap((tier) => {
      const inTier = cases.filter((c) => c.observation.tier === tier);
      const rate = hitRate(inTier);
      if (rate === null) return [];
      return [{ tier, ...countsOf(inTier), rate, interval: clusterInterval(byIssuer(inTier), hitRate) }];
    }),
  };
}

/** Rows and issuers, with and without an event. */
export function countsOf(cases: readonly ScoredObservation[]): Counts {
  const withEvent = cases.filter((c) => c.event);
  return {
    n: cases.length,
    issuers: byIssuer(cases).length,
    events: withEvent.length,
    issuersWithEvent: byIssuer(withEvent).length,
  };
}

function measured(
  cases: readonly ScoredObservation[],
  scoreOf: (o: Observation) => number | null,
  limits: Parameters['backtest'],
): MeasureResult['result'] {
  const scored = cases.flatMap(({ observation, event }) => {
    const score = scoreOf(observation);
    return score === null ? [] : [{ score, event, observation }];
  });
  const clusters = byIssuer(scored);
  const found = areaUnderCurve(clusters.flat());
  const pValue = permutationTest(clusters, limits);
  if (found === null || pValue === null) return null;
  const interval = clusterInterval(clusters, (rows) => areaUnderCurve(rows)?.auc ?? null);
  return { ...found, pValue, interval };
}

function hitRate(cases: readonly ScoredObservation[]): number | null {
  return cases.length === 0 ? null : cases.filter((c) => c.event).length / cases.length;
}

function byIssuer<Row extends { readonly observation: Observation }>(cases: readonly Row[]): Row[][] {
  return [...Map.groupBy(cases, (c) => c.observation.cik).values()];
}
