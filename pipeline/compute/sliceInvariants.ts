import { daysBetween } from '../../calculators/exact/civilDate.ts';
import {
  add,
  compare,
  distance,
  exactly,
  multiply,
  one,
  subtract,
} from '../../calculators/exact/fraction.ts';
import { isJudged } from '../../calculators/slice/towerState.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { TopStressedRow } from '../../data/contract/payloads/universe/topStressed.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { RiskTier } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

const stressCap = 1000;
/** Age in days above which a row says it (M1.60). */
const freshDays = 135;
const bands: readonly RiskTier[] = ['LOW', 'MODERATE', 'HIGH', 'CRITICAL'];
/** Published ratios are rounded once to 6 decimals, by at most half of the last. */
const ratioRounding = exactly(0.0000005);

/**
 * The invariants of METHODOLOGY 15 that one published covenant row must satisfy on its own, evaluated on the
 * published values.
 *
 * @returns one sentence per violation, each with the rule's number; empty when all hold
 */
export function covenantViolations(row: CovenantStress): string[] {
  const broken: string[] = [];
  const must = (holds: boolean, rule: string) => {
    if (!holds) broken.push(`${row.ticker}: ${rule}`);
  };
  const debt = decimal(row.total_long_term_debt);
  const { stress_30pct: s30, stress_50pct: s50, stress_70pct: s70 } = row;
  if (row.current_debt !== undefined && row.noncurrent_debt !== undefined) {
    const sum = decimal(row.current_debt).plus(decimal(row.noncurrent_debt));
    must(sum.compare(debt) === 0, 'M15.5 debt is not the sum of its current and noncurrent parts');
  }
  // an unproven debt is a lower bound, zero or above
  const isProven = row.debt_coverage_status !== 'low_confidence_missing_debt';
  must(
    debt.sign >= 0 && (!isProven || debt.sign > 0 === (row.debt_coverage_status === 'resolved_nonzero')),
    'M15.6 debt and coverage disagree',
  );
  must(
    row.is_linkbase_backed === (row.data_source !== 'direct_facts_fallback') &&
      (!row.is_linkbase_backed || row.calculation_arc_count >= 1),
    'M15.11 linkbase flag, data source and arc count disagree',
  );
  must(
    row.core_tier !== 'Tower' || (row.is_linkbase_backed && row.quality_flag === 'High'),
    'M15.12 Tower without linkbase and High quality',
  );
  must(
    row.debt_coverage_status !== 'low_confidence_missing_debt' ||
      (row.quality_flag === 'Low' && row.risk_tier === 'UNCLASSIFIED'),
    'M15.12 low confidence without Low quality and UNCLASSIFIED',
  );
  if (debt.sign > 0) {
    const grows = (a: number, b: number) => (b < stressCap ? b > a : b >= a);
    // two stresses of a tiny debt can round to the same six decimals
    const tiny = s70 < 1e-5;
    must(
      tiny ? s70 >= s50 && s50 >= s30 : s30 > 0 && grows(s30, s50) && grows(s50, s70),
      'M15.17 stress does not grow with the shock',
    );
  } else {
    must(s30 === 0 && s50 === 0 && s70 === 0, 'M15.17 stress without debt');
  }
  if (s70 < stressCap) {
    must(
      isSameLtv([s30, 0.7], [s50, 0.5]) && isSameLtv([s50, 0.5], [s70, 0.3]),
      'M15.18 shocks imply different loan-to-values',
    );
  }
  const headroom = row.covenant_headroom_50pct;
  const limit = row.reference_covenant_ltv;
  if (headroom !== undefined && limit !== undefined) {
    must(isHeadroomOf(headroom, { s50, limit }), 'M15.19 headroom and reference covenant disagree');
    must(debt.sign > 0 || headroom === 1, 'M15.19 less than full headroom without debt');
  }
  for (const problem of [...proofViolations(row), ...tierViolations(row), ...ageViolations(row)])
    must(false, problem);
  return broken;
}

type Shock = readonly [stress: number, left: number];

/** Stress times what the shock leaves of the coins is LTV₀, off by the rounding of the stress times the same. */
function isSameLtv([a, leftOfA]: Shock, [b, leftOfB]: Shock): boolean {
  const [first, second] = [exactly(leftOfA), exactly(leftOfB)];
  return (
    compare(
      distance(multiply(exactly(a), first), multiply(exactly(b), second)),
      multiply(ratioRounding, add(first, second)),
    ) <= 0
  );
}

/** limit·headroom = limit − stress. Both are rounded from the unrounded ratio (M0.5), headroom counts `limit` times. */
function isHeadroomOf(headroom: number, { s50, limit }: { s50: number; limit: number }): boolean {
  const of = exactly(limit);
  return (
    compare(
      distance(multiply(exactly(headroom), of), subtract(of, exactly(s50))),
      multiply(ratioRounding, add(of, one)),
    ) <= 0
  );
}

/** What an unproven or incidental row must not say (M15.6, M15.63, M15.64). */
function proofViolations(row: CovenantStress): string[] {
  const { figures_basis: basis, treasury_relevance: relevance, data_quality_notes: notes = [] } = row;
  const isDebtUnproven = basis === 'debt_unproven' || basis === 'both_unproven';
  const isCryptoUnproven = basis === 'crypto_unproven' || basis === 'both_unproven';
  const tiers = [row.risk_tier, row.live_risk_tier ?? 'UNCLASSIFIED'];
  const isTiered = tiers.some((tier) => tier !== 'UNCLASSIFIED');
  const isRated = [
    row.covenant_headroom_50pct,
    row.charge_level,
    row.discharge_risk,
    row.breach_probability_1y,
  ].some((member) => member !== undefined && member !== null);
  const share = row.crypto_share_of_assets ?? null;
  const rules: readonly (readonly [holds: boolean, rule: string])[] = [
    [
      isDebtUnproven === (row.debt_coverage_status === 'low_confidence_missing_debt'),
      'M15.6 figures_basis and debt coverage disagree',
    ],
    [basis === 'resolved' || !isTiered, 'M15.64 a tier on unproven figures'],
    [basis === 'resolved' || !isRated, 'M15.64 covenant figures on unproven figures'],
    [basis === 'resolved' || row.uses_live_prices !== true, 'M15.64 live figures on unproven figures'],
    [(share === null) === ((relevance ?? null) === null), 'M15.63 relevance without a share'],
    [relevance === null || relevance === relevanceOf(row), 'M15.63 relevance does not follow from the share'],
    [
      relevance === 'core' || relevance === 'material' || !isTiered,
      'M15.63 a tier on coins that are incidental or of unknown weight',
    ],
    [
      (relevance !== 'incidental' && relevance !== 'none') || !isRated,
      'M15.63 covenant figures on incidental coins',
    ],
    [
      !isCryptoUnproven || (share === null && !notes.includes('no_crypto')),
      'M15.69 unproven coins read as none',
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, rule]) => rule);
}

function relevanceOf(row: CovenantStress): CovenantStress['treasury_relevance'] {
  const share = row.crypto_share_of_assets ?? 0;
  if (decimal(row.total_crypto_fair_value).sign <= 0) return 'none';
  if (share >= 0.25) return 'core';
  return share >= 0.1 ? 'material' : 'incidental';
}

function tierViolations(row: CovenantStress): string[] {
  if (row.risk_tier === 'UNCLASSIFIED') return [];
  const broken: string[] = [];
  const base = baseBand(row.stress_50pct);
  const notch = bands.indexOf(row.risk_tier) - bands.indexOf(base);
  if (notch < 0 || notch > 1) broken.push('M15.24 tier is not its base band or one worse');
  if (notch === 1 && decimal(row.total_long_term_debt).sign === 0) broken.push('M15.24 notch without debt');
  if (notch === 1 && row.risk_tier_reasons !== undefined && row.risk_tier_reasons.length === 0) {
    broken.push('M15.24 notch without a reason');
  }
  const charge = row.charge_level;
  if (charge === undefined) return broken;
  if ((charge === 'Low') !== (base === 'LOW')) broken.push('M15.25 Low charge outside the LOW band');
  if (base === 'CRITICAL' && charge !== 'Critical')
    broken.push('M15.25 CRITICAL band without Critical charge');
  if (charge === 'Critical' && base !== 'HIGH' && base !== 'CRITICAL') {
    broken.push('M15.25 Critical charge below the HIGH band');
  }
  return broken;
}

/** What a row says of the age of its balance sheet, where it says it (M1.60, M1.61, M15.80). */
function ageViolations(row: CovenantStress): string[] {
  const { filing_age_days: age, filed, period, source_date: day, next_report_due: due = null } = row;
  if (age === undefined || period === undefined) return [];
  const { data_quality_notes: notes = [], current_reports: reports } = row;
  const note = (kind: string) => notes.find((one) => one.startsWith(`${kind}:`))?.slice(kind.length + 1);
  const isOver = due !== null && due < day;
  const rules: readonly (readonly [holds: boolean, rule: string])[] = [
    [age === daysBetween(period, day) && age >= 0, 'M15.80 the age is not the days since the period end'],
    [(filed ?? day) <= day, 'M15.80 the filing is later than the slice'],
    [note('filing_age') === (age > freshDays ? String(age) : undefined), 'M15.80 age and its note disagree'],
    [note('newer_report_due') === (isOver ? due : undefined), 'M15.80 due date and its note disagree'],
    [
      (reports ?? []).every((one) => one.count > 0 && one.filed > period && one.filed <= day),
      'M15.80 a current report from before the balance sheet or after the slice',
    ],
    [
      (reports === null) === (row.current_reports_missing !== undefined),
      'M15.80 current reports are null without a reason, or have one',
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, rule]) => rule);
}

/** Stress band on stress_50 (M3.6). */
function baseBand(stress50: number): RiskTier {
  if (stress50 < 0.5) return 'LOW';
  if (stress50 < 0.65) return 'MODERATE';
  return stress50 < 1 ? 'HIGH' : 'CRITICAL';
}

/** The order of the screen: judged rows first, stress_50 descending, ticker ascending, no issuer twice (I2.6). */
export function screenViolations(rows: readonly CovenantStress[]): string[] {
  const broken: string[] = [];
  const seen = new Set<string>();
  rows.forEach((row, i) => {
    if (seen.has(row.cik)) broken.push(`${row.ticker}: M15.60 the issuer has two rows`);
    seen.add(row.cik);
    const before = rows[i - 1];
    if (before === undefined) return;
    const [isFirst, isSecond] = [isJudged(before), isJudged(row)];
    const falls = isFirst === isSecond ? before.stress_50pct > row.stress_50pct : isFirst;
    const ties =
      isFirst === isSecond && before.stress_50pct === row.stress_50pct && before.ticker < row.ticker;
    if (!falls && !ties) broken.push(`${row.ticker}: I2.6 the row is out of order`);
  });
  return broken;
}

/** Ranks 1…n in the order of I2.49, equal to the judged rows of the slice (M15.34, M15.67). */
export function rankingViolations(rows: readonly TopStressedRow[]): string[] {
  const broken: string[] = [];
  rows.forEach((row, i) => {
    if (row.rank !== i + 1) broken.push(`${row.ticker}: M15.34 rank ${row.rank} at place ${i + 1}`);
    const before = rows[i - 1];
    if (before === undefined) return;
    const [a, b] = [rankingKey(before), rankingKey(row)];
    const place = b.x - a.x || a.ecs - b.ecs || compareText(before.ticker, row.ticker);
    if (place >= 0) broken.push(`${row.ticker}: M15.34 the row is out of order`);
  });
  return broken;
}

function rankingKey(row: TopStressedRow): { x: number; ecs: number } {
  const live = row.live_stress_50pct ?? null;
  const ecs = live === null ? row.ecs_z : row.live_ecs_z;
  return { x: live ?? row.stress_50pct, ecs: ecs ?? -3.5 };
}

function decimal(value: number | ExactDecimal): ExactDecimal {
  return typeof value === 'number' ? ExactDecimal.fromNumber(value) : value;
}
