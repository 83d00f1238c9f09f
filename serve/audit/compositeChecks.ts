import { createHash } from 'node:crypto';
import type { CompositeOperation } from '../../data/contract/payloads/audit/auditRun.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { type BriefKind, briefProblems } from '../../data/contract/payloads/reports/briefProblems.ts';
import { briefLimits, naturalBrief } from '../../data/contract/payloads/reports/naturalBrief.ts';
import { alphaOpportunities } from '../../data/contract/payloads/universe/alphaOpportunities.ts';
import { alphaOpportunitiesAudit } from '../../data/contract/payloads/universe/alphaOpportunitiesAudit.ts';
import { covenantStressList } from '../../data/contract/payloads/universe/covenantStressList.ts';
import { latestDailyChanges } from '../../data/contract/payloads/universe/latestDailyChanges.ts';
import { readiness } from '../../data/contract/payloads/universe/readiness.ts';
import { riskDistribution } from '../../data/contract/payloads/universe/riskDistribution.ts';
import { topStressed } from '../../data/contract/payloads/universe/topStressed.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { briefStyles } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type AuditClient, checked, pages } from './auditClient.ts';
import { skipped, type Verdict, verdictOf } from './verdicts.ts';

/** True when two decimals are at most `allowed` apart; a double counts as the decimal it prints as, and nothing is rounded. */
export function isWithin(
  a: ExactDecimal,
  b: ExactDecimal,
  { allowed }: { readonly allowed: ExactDecimal },
): boolean {
  const apart = a.minus(b);
  return (apart.sign < 0 ? apart.negated() : apart).compare(allowed) <= 0;
}

/** The exact sum of numbers as they print. */
export function exactSum(values: readonly number[]): ExactDecimal {
  return values.map(ExactDecimal.fromNumber).reduce((sum, value) => sum.plus(value), ExactDecimal.zero);
}

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

type Scope = { readonly client: AuditClient; readonly rowCount: number };

/** Operations over the whole slice (M13.8). */
export const compositeChecks: Readonly<Record<CompositeOperation, (scope: Scope) => Promise<Verdict>>> = {
  readiness: ({ client, rowCount }) =>
    checked(client, 'R01', '/v1/readiness', readiness.schema, function* (r) {
      const coverages =
        r.resolved_nonzero_count +
        r.legitimate_zero_debt_count +
        r.low_confidence_missing_debt_count +
        r.resolved_zero_count;
      if (r.row_count !== rowCount) yield `row_count is ${r.row_count}, the slice has ${rowCount}`;
      if (coverages !== r.row_count) yield 'the coverage counts do not sum to row_count';
      if (r.distinct_issuer_count !== r.row_count) yield 'an issuer is counted twice';
    }),

  risk_distribution: ({ client, rowCount }) =>
    checked(client, 'R04', '/v1/risk-distribution', riskDistribution.schema, function* ({ meta, ...tiers }) {
      const counts = Object.values(tiers).reduce((sum, tier) => sum + tier.count, 0);
      const shares = exactSum(Object.values(tiers).map(({ percentage }) => percentage));
      if (counts !== meta.total || counts !== rowCount) yield `the tiers sum to ${counts} (M15.60)`;
      if (rowCount > 0 && shares.toString() !== '100') yield 'the percentages do not sum to 100.00';
    }),

  async top_stressed({ client }) {
    const listed = await pages(client, {
      routeId: 'R05',
      path: '/v1/top-stressed',
      limit: 100,
      schema: topStressed.schema,
      rowsOf: ({ data }) => data,
      totalOf: ({ meta }) => meta.total,
    });
    if (!('rows' in listed)) return listed.verdict;
    const x = listed.rows.map((row) => row.live_stress_50pct ?? row.stress_50pct);
    return verdictOf([
      ...(listed.rows.every((row, i) => row.rank === i + 1) ? [] : ['the ranks are not 1 … n (M15.34)']),
      ...(descending(x) ? [] : ['stress is not in descending order']),
    ]);
  },

  async alpha_opportunities({ client }) {
    const listed = await pages(client, {
      routeId: 'R06',
      path: '/v1/alpha-opportunities',
      limit: 100,
      schema: alphaOpportunities.schema,
      rowsOf: ({ opportunities }) => opportunities,
      totalOf: ({ opportunities, meta }) => meta?.total ?? opportunities.length,
    });
    if (!('rows' in listed)) return listed.verdict;
    const inOrder = descending(listed.rows.map((row) => row.alpha_score));
    return verdictOf(inOrder ? [] : ['scores are not in descending order (M5.17)']);
  },

  alpha_opportunities_audit: ({ client }) =>
    checked(
      client,
      'R07',
      '/v1/alpha-opportunities/audit?include_rows=true',
      alphaOpportunitiesAudit.schema,
      function* ({ rows = [], quality_gate_summary }) {
        const gated = rows.filter((row) => row.failed_gate !== null);
        const summed = Object.values(quality_gate_summary).reduce((sum, n) => sum + n, 0);
        const consistent = rows.every(
          (row) =>
            (row.board_rank === null) === (row.failed_gate !== null) &&
            row.rank_delta === (row.board_rank === null ? null : row.raw_rank - row.board_rank),
        );
        if (!consistent) yield 'board_rank, failed_gate and rank_delta contradict each other (M15.46)';
        if (summed !== gated.length) yield 'quality_gate_summary does not count the gated rows (M15.46)';
      },
    ),

  daily_changes_latest: ({ client }) =>
    checked(client, 'R02', '/v1/daily-changes/latest', latestDailyChanges.schema, () => []),

  brief_validation: ({ client }) => briefValidation(client),
};

function descending(values: readonly number[]): boolean {
  return values.every((value, i) => i === 0 || value <= (values[i - 1] ?? value));
}

type Brief = (typeof naturalBrief)['example'];

/**
 * Every brief of the slice as a client reads it: sections and disclaimer, length, each number in its evidence, the hash
 * of the evidence, and the same evidence in all four styles (I2.39–I2.44). Knows nothing of how a brief is compiled.
 */
async function briefValidation(client: AuditClient): Promise<Verdict> {
  if (!client.serves('R25')) return skipped('route_pending');
  const screen = await pages(client, {
    routeId: 'R12',
    path: '/v1/covenant-stress',
    limit: 100,
    schema: covenantStressList.schema,
    rowsOf: (page) => page.data,
    totalOf: (page) => page.meta.total,
  });
  if ('verdict' in screen) return screen.verdict;
  const asked = [
    ...briefLimits.flatMap((limit) => [
      { routeId: 'R25', kind: 'morning' as const, query: `/v1/morning-brief/natural?limit=${limit}` },
      { routeId: 'R26', kind: 'top_stressed' as const, query: `/v1/top-stressed/natural?limit=${limit}` },
    ]),
    ...screen.rows.map(({ cik }) => ({
      routeId: 'R27',
      kind: 'covenant' as const,
      query: `/v1/covenant-stress/natural?ticker=${cik}`,
    })),
  ];
  for (const { routeId, kind, query } of asked) {
    const hashes = new Set<string>();
    for (const style of briefStyles) {
      const answer = await client.ask(routeId, `${query}&style=${style}`, naturalBrief.schema);
      if (!('payload' in answer)) return answer.verdict;
      const brief = answer.payload.value;
      const problems = answerProblems(brief, kind);
      if (problems.length > 0) return verdictOf(problems.map((problem) => `${query} ${style}: ${problem}`));
      hashes.add(brief.evidence_hash);
    }
    if (hashes.size !== 1) return verdictOf([`${query}: the styles have different evidence`]);
  }
  return verdictOf([]);
}

/** What speaks against a brief as it was answered. */
function answerProblems(brief: Brief, kind: BriefKind): string[] {
  const { natural_brief: text, summary_data: evidence, style } = brief;
  const hash = createHash('sha256')
    .update(canonicalJson(evidence as CanonicalValue))
    .digest('hex');
  return [
    ...briefProblems({ text, evidence, kind, style }),
    ...(hash === brief.evidence_hash ? [] : ['evidence_hash is not that of summary_data (I2.39)']),
  ];
}
