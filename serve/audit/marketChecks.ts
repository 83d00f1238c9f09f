import type { MarketOperation } from '../../data/contract/payloads/audit/auditRun.ts';
import { type EtfAudit, etfAudit } from '../../data/contract/payloads/market/etfAudit.ts';
import { etfPressureState } from '../../data/contract/payloads/market/etfPressureState.ts';
import { type PerpRankingRow, perpRankings } from '../../data/contract/payloads/market/perpRankings.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type AuditClient, checked, pages } from './auditClient.ts';
import { exactSum, isWithin } from './compositeChecks.ts';
import { failed, notApplicable, passed, type Verdict, verdictOf } from './verdicts.ts';

type Scope = {
  readonly client: AuditClient;
  /** The release has a ranking of products, so its route has to answer. */
  readonly holdsMarket: boolean;
};

/** What the server says of a slice whose night had no market data. */
const noMarket = 'status 404 not_found no_artifact_for_source_date';

/** Operations over the perpetual products of the slice (M13.8). */
export const marketChecks: Readonly<Record<MarketOperation, (scope: Scope) => Promise<Verdict>>> = {
  async perp_rankings(scope) {
    const ranked = await rankings(scope);
    return 'rows' in ranked ? verdictOf(rankedProblems(ranked.rows)) : ranked.verdict;
  },

  etf_pressure: (scope) =>
    eachProduct(scope, (row) => {
      const target = `/v1/synthetic-etf/pressure-state/${row.product}`;
      return checked(scope.client, 'R19', target, etfPressureState.schema, ({ pressure_state: state }) =>
        pressureProblems(state, row),
      );
    }),

  etf_audit: (scope) =>
    eachProduct(scope, ({ product }) =>
      checked(scope.client, 'R20', `/v1/synthetic-etf/audit/${product}`, etfAudit.schema, auditProblems),
    ),
};

type Ranked = { readonly rows: readonly PerpRankingRow[] } | { readonly verdict: Verdict };

async function rankings({ client, holdsMarket }: Scope): Promise<Ranked> {
  const listed = await pages(client, {
    routeId: 'R16',
    path: '/v1/market-core/perps/rankings',
    limit: 250,
    schema: perpRankings.schema,
    rowsOf: ({ data }) => data,
    totalOf: ({ meta }) => meta.total,
  });
  if ('rows' in listed) return listed;
  const { verdict } = listed;
  const isWithout = !holdsMarket && verdict.outcome === 'failed' && verdict.reason === noMarket;
  return { verdict: isWithout ? notApplicable('no_market_data') : verdict };
}

/** The first product whose check does not pass, or a pass. */
async function eachProduct(scope: Scope, check: (row: PerpRankingRow) => Promise<Verdict>): Promise<Verdict> {
  const ranked = await rankings(scope);
  if (!('rows' in ranked)) return ranked.verdict;
  for (const row of ranked.rows) {
    const verdict = await check(row);
    if (verdict.outcome === 'failed') return failed(`${row.product}: ${verdict.reason}`);
    if (verdict.outcome !== 'ok') return verdict;
  }
  return passed;
}

// what the published numbers of the market half say of each other, recomputed from them alone

/** Contributions and P are doubles that are published whole (M8.11). */
const summed = ExactDecimal.parse('1e-9');

/** Ranks 1 … n, the score from the pressure, the order by both (M8.17, M8.18). */
export function* rankedProblems(rows: readonly PerpRankingRow[]): Generator<string> {
  for (const [i, row] of rows.entries()) {
    const place = row.ranking_band === 'insufficient_evidence' ? null : i + 1;
    if (row.rank !== place) yield `${row.product} has rank ${row.rank} in place ${i + 1}`;
    const before = rows[i - 1];
    if (before !== undefined && before.ranking_score < row.ranking_score)
      yield `${row.product} stands behind a lower ranking_score`;
    const pressure = row.factors['pressure'] ?? null;
    const isRanked = row.ranking_band !== 'insufficient_evidence';
    const score = isRanked && pressure !== null ? scoreOf(pressure) : 0;
    if (isRanked && pressure === null) yield `${row.product} is ranked without a pressure`;
    if (row.ranking_score !== score)
      yield `${row.product} has ranking_score ${row.ranking_score}, not ${score} (M8.17)`;
  }
}

/** clamp(50 + 20·P, 0, 100) of a P of six decimals, which leaves nothing to round. */
function scoreOf(pressure: number): number {
  const scaled = ExactDecimal.fromNumber(pressure).times(ExactDecimal.parse('20'));
  return Math.min(100, Math.max(0, scaled.plus(ExactDecimal.parse('50')).toNumber()));
}

/** The read of a product says what its row in the ranking says. */
export function* pressureProblems(
  state: EtfAudit['pressure_state'],
  { factors, ranking_band: band, quality }: PerpRankingRow,
): Generator<string> {
  const ranked = factors['pressure'] ?? null;
  if (state.pressure !== ranked) yield `pressure is ${state.pressure}, ${ranked} in the ranking`;
  if ((state.pressure === null) !== (state.market_state === 'insufficient_evidence'))
    yield `pressure ${state.pressure} is called ${state.market_state} (M8.10)`;
  // a stale row keeps its state and leaves the ranking (M8.18)
  if (quality.status !== 'stale' && state.market_state !== band)
    yield `market_state is ${state.market_state}, ranking_band ${band} (M15.51)`;
}

type Flag = EtfAudit['threshold_flags'][number];

/** Attribution sums to the pressure, flags follow from what was observed, the event from flags and blockers. */
export function* auditProblems({
  pressure_attribution: attribution,
  threshold_flags: flags,
  threshold_contract: contract,
  canonical_event: event,
  event_classification: classification,
}: Pick<
  EtfAudit,
  | 'pressure_attribution'
  | 'threshold_flags'
  | 'threshold_contract'
  | 'canonical_event'
  | 'event_classification'
>): Generator<string> {
  const parts = exactSum(attribution.rows.map(({ contribution }) => contribution));
  const { pressure_unrounded: total } = attribution;
  if (total !== null && !isWithin(parts, ExactDecimal.fromNumber(total), { allowed: summed }))
    yield `the attribution sums to ${parts.toNumber()}, not ${total} (M15.50)`;
  if (flags.length !== contract.rows.length) yield 'a threshold has no flag (M8.15)';
  for (const flag of flags) {
    const result = resultOf(flag);
    if (flag.result !== result) yield `${flag.threshold_id} is ${flag.result}, not ${result} (M8.15)`;
  }
  const status = event.canonical_event_status;
  if (event.blockers.length > 0 !== (status === 'blocked'))
    yield `an event with ${event.blockers.length} blockers is ${status} (M8.16)`;
  if (status !== 'blocked' && status !== 'unavailable' && status !== statusOf(flags))
    yield `the event is ${status}, not ${statusOf(flags)} (M8.16)`;
  if (classification.canonical_confirmed !== (status === 'confirmed'))
    yield 'canonical_confirmed contradicts the status of the event';
}

function resultOf({ observed, operator, threshold }: Flag): Flag['result'] {
  if (observed === null) return 'unavailable';
  const value = operator === 'abs>=' ? Math.abs(observed) : observed;
  const holds = operator === '<=' ? value <= threshold : value >= threshold;
  return holds ? 'pass' : 'fail';
}

function statusOf(flags: readonly Flag[]): 'confirmed' | 'watch' | 'not_confirmed' {
  const passes = flags.filter(({ result }) => result === 'pass');
  if (passes.length >= 3 && passes.some(({ metric }) => metric === 'pressure')) return 'confirmed';
  return passes.length > 0 ? 'watch' : 'not_confirmed';
}
