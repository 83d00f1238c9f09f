import type { BoardEntry } from '../../calculators/alpha/opportunityBoard.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import type { AlphaSignals } from '../../data/contract/payloads/issuer/alphaSignals.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { qualityFlags } from '../../data/contract/values/enums.ts';

/** The laws one alpha payload must satisfy on its published values, beside the row it was made from (METHODOLOGY 15). */
export function alphaViolations(
  signals: AlphaSignals,
  { row, parameters }: { readonly row: CovenantStress; readonly parameters: Parameters },
): string[] {
  const broken: string[] = [];
  const must = (holds: boolean, rule: string) => {
    if (!holds) broken.push(`${signals.ticker}: ${rule}`);
  };
  const { weights, treasuryClass, posture: postures } = parameters.alpha;
  const { debt_cleanliness, stress_resilience, regime_fit, treasury_strength } =
    signals.alpha_score_breakdown;
  const sum = debt_cleanliness + stress_resilience + regime_fit + treasury_strength;
  must(signals.alpha_score === Math.floor(sum / 4), 'M15.37 alpha is not a quarter of its pillars');
  must(
    stress_resilience === signals.stress_resilience_score &&
      regime_fit === signals.regime_fit_score &&
      treasury_strength === signals.treasury_strength_score,
    'M15.38 a pillar and its score differ',
  );
  const means = [
    [stress_resilience, weights.stressResilience, signals.stress_resilience_breakdown],
    [regime_fit, weights.regimeFit, signals.regime_fit_breakdown],
    [treasury_strength, weights.treasuryStrength, signals.treasury_strength_breakdown ?? {}],
  ] as const;
  for (const [score, weight, parts] of means) {
    must(score === weightedMean(weight, parts), 'M15.38 a pillar is not the weighted mean of its parts');
  }
  const points = Object.values(signals.debt_cleanliness_breakdown ?? {});
  must(
    points.reduce((total, part) => total + part, 0) === debt_cleanliness,
    'M15.38 debt cleanliness is not the sum of its parts',
  );
  if (signals.score_inputs.stress_data_status === 'missing') {
    must(
      stress_resilience === 0 &&
        signals.regime_fit_breakdown.stress_alignment === 0 &&
        signals.research_posture === 'data_review_required',
      'M15.39 stress is missing and still scores',
    );
  }
  const strength =
    treasury_strength >= treasuryClass.strong
      ? 'strong'
      : treasury_strength >= treasuryClass.moderate
        ? 'moderate'
        : 'weak';
  must(signals.treasury_strength === strength, 'M15.3 the class of the treasury is another');
  const tier = row.live_risk_tier ?? row.risk_tier;
  if (signals.research_posture === 'resilience_candidate') {
    must(
      tier === 'LOW' && signals.alpha_score >= postures.resilienceCandidate,
      'M15.45 a resilience candidate that is none',
    );
  }
  if (signals.research_posture === 'stress_watch') {
    must(tier === 'HIGH' || tier === 'CRITICAL', 'M15.45 a stress watch without stress');
  }
  const { live_stress_50pct, stress_50pct } = signals.score_inputs;
  must(
    stress_50pct === row.stress_50pct && live_stress_50pct === (row.live_stress_50pct ?? stress_50pct),
    'M0.5 alpha and covenant stress differ',
  );
  return broken;
}

/** The board is ordered, numbered without gaps, and leaves a row out for exactly one reason (M15.46, M5.17). */
export function boardViolations(board: readonly BoardEntry[]): string[] {
  const broken: string[] = [];
  let last = 0;
  board.forEach((entry, i) => {
    const { row, boardRank, rawRank, rankDelta, failedGate } = entry;
    if ((boardRank === null) !== (failedGate !== null)) {
      broken.push(`${row.ticker}: M15.46 board rank and failed gate disagree`);
    }
    if (boardRank !== null && boardRank !== last + 1) {
      broken.push(`${row.ticker}: M15.46 board rank ${boardRank} after ${last}`);
    }
    last = boardRank ?? last;
    if (rankDelta !== (boardRank === null ? null : rawRank - boardRank)) {
      broken.push(`${row.ticker}: M15.46 the rank delta is another`);
    }
    const before = board[i - 1];
    if (before !== undefined && order(before, entry) >= 0) {
      broken.push(`${row.ticker}: M5.17 the row is out of order`);
    }
  });
  const raw = board.map(({ rawRank }) => rawRank).sort((a, b) => a - b);
  if (raw.some((rank, i) => rank !== i + 1)) broken.push('board: M5.19 the raw ranks are not 1 to n');
  return broken;
}

function order(a: BoardEntry, b: BoardEntry): number {
  const key = ({ row, signals, stress }: BoardEntry) => [
    -row.alpha_score,
    row.live_stress_50pct,
    -signals.stress_resilience_score,
    -signals.treasury_strength_score,
    qualityFlags.indexOf(stress.quality_flag),
  ];
  const keys = key(b);
  const step = key(a)
    .map((value, i) => value - (keys[i] ?? 0))
    .find((difference) => difference !== 0);
  return step ?? compareText(a.row.ticker, b.row.ticker);
}

function weightedMean(
  weights: Readonly<Record<string, number>>,
  parts: Readonly<Record<string, number>>,
): number {
  const sum = Object.entries(weights).reduce((total, [key, weight]) => total + weight * (parts[key] ?? 0), 0);
  return Math.floor((sum + 50) / 100);
}
