import type { CovenantStress } from '../../contract/payloads/issuer/covenantStress.ts';

// The rules of METHODOLOGY 3 said a second time on purpose: an audit that called the calculators would repeat
// their mistakes, and it knows the published numbers only.

const stressCap = 1000;
const tiers = ['LOW', 'MODERATE', 'HIGH', 'CRITICAL'] as const;

/** What does not follow from the numbers a covenant row publishes beside it (M3.1–M3.9, M15.3, M15.17–M15.25). */
export function* stressProblems(row: CovenantStress): Generator<string> {
  const debt = Number(row.total_long_term_debt);
  const coins = Number(row.total_crypto_fair_value);
  const levels = [
    [0.3, 'stress_30pct', row.stress_30pct],
    [0.5, 'stress_50pct', row.stress_50pct],
    [0.7, 'stress_70pct', row.stress_70pct],
  ] as const;
  for (const [fall, name, published] of levels) {
    if (!near(published, stressOf(debt, coins, fall), 1e-6))
      yield `${name} does not follow from debt and coins`;
  }
  if (row.current_debt !== undefined && row.noncurrent_debt !== undefined) {
    const parts = Number(row.current_debt) + Number(row.noncurrent_debt);
    if (!near(parts, debt, 0.5)) yield 'total_long_term_debt is not the sum of its parts';
  }
  yield* proofProblems(row);
  yield* labelProblems({
    stress: row.stress_50pct,
    headroom: row.covenant_headroom_50pct ?? null,
    reference: row.reference_covenant_ltv ?? null,
    charge: row.charge_level ?? null,
    tier: row.risk_tier,
    reasons: row.risk_tier_reasons ?? [],
    hasDebt: debt > 0,
    live: '',
  });
  if (typeof row.live_stress_50pct !== 'number') return;
  yield* labelProblems({
    stress: row.live_stress_50pct,
    headroom: row.live_covenant_headroom_50pct ?? null,
    reference: row.reference_covenant_ltv ?? null,
    charge: row.live_charge_level ?? null,
    tier: row.live_risk_tier ?? null,
    reasons: row.live_risk_tier_reasons ?? [],
    hasDebt: debt > 0,
    live: 'live_',
  });
}

/** What a row without proof, or with coins that matter little, must not claim (M3.3c, M3.10, M3.25, M15.64). */
function* proofProblems(row: CovenantStress): Generator<string> {
  const { figures_basis: basis, treasury_relevance: relevance } = row;
  const isTiered =
    row.risk_tier !== 'UNCLASSIFIED' || (row.live_risk_tier ?? 'UNCLASSIFIED') !== 'UNCLASSIFIED';
  if (basis !== undefined && basis !== 'resolved') {
    if (isTiered) yield 'unproven figures carry a tier (M15.64)';
    if (row.covenant_headroom_50pct !== undefined || row.charge_level !== undefined) {
      yield 'unproven figures carry covenant figures (M3.3c)';
    }
    if (typeof row.live_stress_50pct === 'number') yield 'unproven figures are repriced (I2.5)';
    const notes = row.data_quality_notes ?? [];
    if (!notes.some((note) => note.startsWith('figures_lower_bound:'))) {
      yield 'unproven figures do not say which is a lower bound (M3.3c)';
    }
  }
  if (isTiered && (relevance === 'incidental' || relevance === 'none')) {
    yield `a tier on coins that are ${relevance} (M3.25)`;
  }
  if (row.crypto_units_basis === 'carrying_value_lower_bound') {
    if (isTiered && row.risk_tier !== 'LOW') yield 'a cost proves a tier other than LOW (M3.10b)';
    if (typeof row.live_stress_50pct === 'number') yield 'a cost is repriced (M3.18b)';
  }
}

function stressOf(debt: number, coins: number, fall: number): number {
  if (debt === 0) return 0;
  return coins > 0 ? Math.min(stressCap, debt / (coins * (1 - fall))) : stressCap;
}

type Labels = {
  readonly stress: number;
  readonly headroom: number | null;
  readonly reference: number | null;
  readonly charge: string | null;
  readonly tier: string | null;
  readonly reasons: readonly string[];
  readonly hasDebt: boolean;
  readonly live: '' | 'live_';
};

function* labelProblems(l: Labels): Generator<string> {
  // headroom comes from the unrounded ratio (M0.5)
  if (l.headroom !== null && l.reference !== null && !near(l.headroom, 1 - l.stress / l.reference, 2e-6)) {
    yield `${l.live}covenant_headroom_50pct does not follow from ${l.live}stress_50pct`;
  }
  if (l.charge !== null && l.charge !== chargeOf(l.stress)) {
    yield `${l.live}charge_level is ${l.charge}, not ${chargeOf(l.stress)}`;
  }
  if (l.tier === null || l.tier === 'UNCLASSIFIED') return;
  const base = tiers.indexOf(bandOf(l.stress));
  const notched = Math.min(base + (l.hasDebt && l.reasons.length > 0 ? 1 : 0), tiers.length - 1);
  if (l.tier !== tiers[notched]) yield `${l.live}risk_tier is ${l.tier}, not ${tiers[notched]}`;
}

function bandOf(stress: number): (typeof tiers)[number] {
  if (stress >= 1) return 'CRITICAL';
  if (stress >= 0.65) return 'HIGH';
  return stress >= 0.5 ? 'MODERATE' : 'LOW';
}

function chargeOf(stress: number): 'Low' | 'Elevated' | 'Critical' {
  if (stress >= 0.83) return 'Critical';
  return stress >= 0.5 ? 'Elevated' : 'Low';
}

function near(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) <= tolerance + 1e-12;
}
