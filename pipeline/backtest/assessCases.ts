import { areaUnderCurve, type Discrimination } from '../../calculators/backtest/areaUnderCurve.ts';
import { type Brier, brierScore } from '../../calculators/backtest/brierScore.ts';
import type { EventType } from '../../calculators/backtest/followUp.ts';
import { permutationTest } from '../../calculators/backtest/permutationTest.ts';
import { wilsonInterval } from '../../calculators/backtest/wilsonInterval.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { type RiskTier, riskTiers } from '../../contract/values/enums.ts';
import type { Observation } from './observation.ts';

/** An observation whose horizon is over, with what happened in it. */
export type ScoredObservation = { readonly observation: Observation; readonly event: boolean };

export type MeasureResult = {
  readonly measure: string;
  readonly result: (Discrimination & { readonly pValue: number }) | null;
};

export type TierHits = {
  readonly tier: RiskTier;
  readonly n: number;
  readonly events: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
};

export type Assessment = {
  readonly types: readonly EventType[];
  readonly n: number;
  readonly events: number;
  readonly issuers: number;
  readonly issuersWithEvent: number;
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

/** Discrimination, calibration and hit rates of one set of events (M12.12). */
export function assessCases(
  cases: readonly ScoredObservation[],
  { types, limits }: { types: readonly EventType[]; limits: Parameters['backtest'] },
): Assessment {
  const withEvent = cases.filter((c) => c.event);
  const fewest = Math.min(withEvent.length, cases.length - withEvent.length);
  return {
    types,
    n: cases.length,
    events: withEvent.length,
    issuers: issuersOf(cases),
    issuersWithEvent: issuersOf(withEvent),
    enoughEvents: fewest >= limits.minEvents,
    measures: measures.map(([measure, scoreOf]) => ({ measure, result: measured(cases, scoreOf, limits) })),
    brier: brierScore(
      cases.flatMap(({ observation, event }) =>
        observation.breachProbability === null ? [] : [{ probability: observation.breachProbability, event }],
      ),
    ),
    tiers: riskTiers.flatMap((tier) => {
      const inTier = cases.filter((c) => c.observation.tier === tier);
      if (inTier.length === 0) return [];
      const events = inTier.filter((c) => c.event).length;
      const interval = wilsonInterval(events, inTier.length);
      return [{ tier, n: inTier.length, events, rate: events / inTier.length, ...interval }];
    }),
  };
}

function measured(
  cases: readonly ScoredObservation[],
  scoreOf: (o: Observation) => number | null,
  limits: Parameters['backtest'],
): MeasureResult['result'] {
  const scored = cases.flatMap(({ observation, event }) => {
    const score = scoreOf(observation);
    return score === null ? [] : [{ score, event }];
  });
  const found = areaUnderCurve(scored);
  const pValue = permutationTest(scored, limits);
  return found === null || pValue === null ? null : { ...found, pValue };
}

function issuersOf(cases: readonly ScoredObservation[]): number {
  return new Set(cases.map((c) => c.observation.cik)).size;
}
