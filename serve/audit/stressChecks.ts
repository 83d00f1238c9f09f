import type { CovenantStress } from '../../contract/covenantStress.ts';

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
