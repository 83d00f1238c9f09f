import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { isWithin } from './isWithin.ts';

// The rules of METHODOLOGY 3 said a second time on purpose: an audit that called the calculators would repeat
// their mistakes, and it knows the published numbers only.

const stressCap = ExactDecimal.parse('1000');
const one = ExactDecimal.parse('1');
/** Ratios are rounded once to 6 decimals, by at most half of the last. */
const rounding = ExactDecimal.parse('0.0000005');
/** What three doubles may lose of an amount that has a fraction; whole amounts keep their digits (I4.32). */
const doubles = ExactDecimal.fromNumber(2 ** -51);
const tiers = ['LOW', 'MODERATE', 'HIGH', 'CRITICAL'] as const;

/** What does not follow from the numbers a covenant row publishes beside it (M3.1–M3.9, M15.3, M15.17–M15.25). */
export function* stressProblems(row: CovenantStress): Generator<string> {
  const debt = amountOf(row.total_long_term_debt);
  const coins = amountOf(row.total_crypto_fair_value);
  const levels = [
    ['0.7', 'stress_30pct', row.stress_30pct],
    ['0.5', 'stress_50pct', row.stress_50pct],
    ['0.3', 'stress_70pct', row.stress_70pct],
  ] as const;
  for (const [left, name, published] of levels) {
    const shocked = coins.times(ExactDecimal.parse(left));
    if (!isStressOf(ExactDecimal.fromNumber(published), { debt, shocked }))
      yield `${name} does not follow from debt and coins`;
  }
  if (row.current_debt !== undefined && row.noncurrent_debt !== undefined) {
    const parts = [amountOf(row.current_debt), amountOf(row.noncurrent_debt)] as const;
    const isWhole = [debt, ...parts].every(({ scale }) => scale === 0);
    const allowed = isWhole ? ExactDecimal.zero : debt.times(doubles);
    if (!isWithin(parts[0].plus(parts[1]), debt, { allowed }))
      yield 'total_long_term_debt is not the sum of its parts';
  }
  yield* proofProblems(row);
  yield* labelProblems({
    stress: row.stress_50pct,
    headroom: row.covenant_headroom_50pct ?? null,
    reference: row.reference_covenant_ltv ?? null,
    charge: row.charge_level ?? null,
    tier: row.risk_tier,
    reasons: row.risk_tier_reasons ?? [],
    hasDebt: debt.sign > 0,
    live: '',
  });
  if (typeof row.live_stress_50pct !== 'number') return;
  const { data_quality_notes: notes = [] } = row;
  const high = row.debt_since_high === undefined ? null : amountOf(row.debt_since_high);
  const liveCoins = amountOf(row.live_total_crypto_fair_value ?? 0);
  yield* labelProblems({
    stress: row.live_stress_50pct,
    headroom: row.live_covenant_headroom_50pct ?? null,
    reference: row.reference_covenant_ltv ?? null,
    charge: row.live_charge_level ?? null,
    tier: row.live_risk_tier ?? null,
    reasons: row.live_risk_tier_reasons ?? [],
    hasDebt: debt.sign > 0 || (high?.sign ?? 0) > 0,
    ...(notes.includes('debt_since_period') && high !== null ? { worstDebt: { high, liveCoins } } : {}),
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
  // rows of older programs lack the member
  if (isTiered && relevance !== undefined && relevance !== 'core' && relevance !== 'material') {
    yield `a tier on coins that are ${relevance ?? 'of unknown weight'} (M3.25)`;
  }
  if (row.crypto_units_basis === 'carrying_value_lower_bound') {
    if (isTiered && row.risk_tier !== 'LOW') yield 'a cost proves a tier other than LOW (M3.10b)';
    if (typeof row.live_stress_50pct === 'number') yield 'a cost is repriced (M3.18b)';
  }
}

/** debt = stress·shocked, off by the rounding of the stress times the coins; nothing is divided (M3.1, M3.3). */
function isStressOf(
  stress: ExactDecimal,
  { debt, shocked }: { readonly debt: ExactDecimal; readonly shocked: ExactDecimal },
): boolean {
  if (debt.sign === 0) return stress.sign === 0;
  if (shocked.sign <= 0) return stress.compare(stressCap) === 0;
  const allowed = shocked.times(rounding);
  const product = shocked.times(stress);
  // at the cap the debt may be any more
  if (stress.compare(stressCap) === 0 && debt.compare(product) >= 0) return true;
  return stress.compare(stressCap) <= 0 && isWithin(product, debt, { allowed });
}

function amountOf(value: number | ExactDecimal): ExactDecimal {
  return typeof value === 'number' ? ExactDecimal.fromNumber(value) : value;
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
  /** Debt with the closings reported since, where its band and not that of the ratio is the tier's (M17.26). */
  readonly worstDebt?: { readonly high: ExactDecimal; readonly liveCoins: ExactDecimal };
};

function* labelProblems(l: Labels): Generator<string> {
  if (
    l.headroom !== null &&
    l.reference !== null &&
    !isHeadroomOf(l.headroom, { stress: l.stress, limit: l.reference })
  ) {
    yield `${l.live}covenant_headroom_50pct does not follow from ${l.live}stress_50pct`;
  }
  if (l.charge !== null && l.charge !== chargeOf(l.stress)) {
    yield `${l.live}charge_level is ${l.charge}, not ${chargeOf(l.stress)}`;
  }
  if (l.tier === null || l.tier === 'UNCLASSIFIED') return;
  const base = tiers.indexOf(bandOf(l.worstDebt === undefined ? l.stress : worstOf(l.worstDebt)));
  const notched = Math.min(base + (l.hasDebt && l.reasons.length > 0 ? 1 : 0), tiers.length - 1);
  if (l.tier !== tiers[notched]) yield `${l.live}risk_tier is ${l.tier}, not ${tiers[notched]}`;
}

/** As published: to 6 decimals, at most the cap. */
function worstOf({ high, liveCoins }: NonNullable<Labels['worstDebt']>): number {
  const ratio = high.plus(high).toNumber() / liveCoins.toNumber();
  return Number(Math.min(ratio, 1000).toFixed(6));
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

/** limit·headroom = limit − stress, both rounded from the unrounded ratio (M0.5). */
function isHeadroomOf(headroom: number, of: { readonly stress: number; readonly limit: number }): boolean {
  const limit = ExactDecimal.fromNumber(of.limit);
  const room = limit.minus(ExactDecimal.fromNumber(of.stress));
  const allowed = rounding.times(limit.plus(one));
  return isWithin(ExactDecimal.fromNumber(headroom).times(limit), room, { allowed });
}
