import { createHash } from 'node:crypto';
import type { CompositeOperation } from '../../data/contract/payloads/audit/auditRun.ts';
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
import { type AuditClient, pages } from './auditClient.ts';
import { exactSum } from './isWithin.ts';
import { skipped, type Verdict, verdictOf } from './verdicts.ts';

type Scope = { readonly client: AuditClient; readonly rowCount: number };

/** Operations over the whole slice (M13.8). */
export const compositeChecks: Readonly<Record<CompositeOperation, (scope: Scope) => Promise<Verdict>>> = {
  async readiness({ client, rowCount }) {
    const asked = await client.ask({ routeId: 'R01', target: '/v1/readiness', schema: readiness.schema });
    if (!('payload' in asked)) return asked.verdict;
    const r = asked.payload.value;
    const coverages =
      r.resolved_nonzero_count +
      r.legitimate_zero_debt_count +
      r.low_confidence_missing_debt_count +
      r.resolved_zero_count;
    return verdictOf([
      ...(r.row_count === rowCount ? [] : [`row_count is ${r.row_count}, the slice has ${rowCount}`]),
      ...(coverages === r.row_count ? [] : ['the coverage counts do not sum to row_count']),
      ...(r.distinct_issuer_count === r.row_count ? [] : ['an issuer is counted twice']),
    ]);
  },

  async risk_distribution({ client, rowCount }) {
    const asked = await client.ask({
      routeId: 'R04',
      target: '/v1/risk-distribution',
      schema: riskDistribution.schema,
    });
    if (!('payload' in asked)) return asked.verdict;
    const { meta, ...tiers } = asked.payload.value;
    const counts = Object.values(tiers).reduce((sum, tier) => sum + tier.count, 0);
    const shares = exactSum(Object.values(tiers).map(({ percentage }) => percentage));
    return verdictOf([
      ...(counts === meta.total && counts === rowCount ? [] : [`the tiers sum to ${counts} (M15.60)`]),
      ...(rowCount === 0 || shares.toString() === '100' ? [] : ['the percentages do not sum to 100.00']),
    ]);
  },

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
    return verdictOf(
      descending(listed.rows.map((row) => row.alpha_score))
        ? []
        : ['scores are not in descending order (M5.17)'],
    );
  },

  async alpha_opportunities_audit({ client }) {
    const asked = await client.ask({
      routeId: 'R07',
      target: '/v1/alpha-opportunities/audit?include_rows=true',
      schema: alphaOpportunitiesAudit.schema,
    });
    if (!('payload' in asked)) return asked.verdict;
    const { rows = [], quality_gate_summary } = asked.payload.value;
    const gated = rows.filter((row) => row.failed_gate !== null);
    const summed = Object.values(quality_gate_summary).reduce((sum, n) => sum + n, 0);
    const consistent = rows.every(
      (row) =>
        (row.board_rank === null) === (row.failed_gate !== null) &&
        row.rank_delta === (row.board_rank === null ? null : row.raw_rank - row.board_rank),
    );
    return verdictOf([
      ...(consistent ? [] : ['board_rank, failed_gate and rank_delta contradict each other (M15.46)']),
      ...(summed === gated.length ? [] : ['quality_gate_summary does not count the gated rows (M15.46)']),
    ]);
  },

  async daily_changes_latest({ client }) {
    const asked = await client.ask({
      routeId: 'R02',
      target: '/v1/daily-changes/latest',
      schema: latestDailyChanges.schema,
    });
    return 'payload' in asked ? verdictOf([]) : asked.verdict;
  },

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
      const answer = await client.ask({
        routeId,
        target: `${query}&style=${style}`,
        schema: naturalBrief.schema,
      });
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
