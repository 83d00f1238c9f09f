import type { MarketOperation } from '../../data/contract/payloads/audit/auditRun.ts';
import { etfAudit } from '../../data/contract/payloads/market/etfAudit.ts';
import { etfPressureState } from '../../data/contract/payloads/market/etfPressureState.ts';
import { type PerpRankingRow, perpRankings } from '../../data/contract/payloads/market/perpRankings.ts';
import type { AuditClient } from './auditClient.ts';
import { auditProblems, pressureProblems, rankedProblems } from './marketProblems.ts';
import { pages } from './pages.ts';
import { failed, notApplicable, passed, type Verdict, verdictOf } from './verdict.ts';

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
    eachProduct(scope, async (row) => {
      const target = `/v1/synthetic-etf/pressure-state/${row.product}`;
      const asked = await scope.client.ask({ routeId: 'R19', target, schema: etfPressureState.schema });
      return 'payload' in asked
        ? verdictOf(pressureProblems(asked.payload.value.pressure_state, row))
        : asked.verdict;
    }),

  etf_audit: (scope) =>
    eachProduct(scope, async (row) => {
      const target = `/v1/synthetic-etf/audit/${row.product}`;
      const asked = await scope.client.ask({ routeId: 'R20', target, schema: etfAudit.schema });
      return 'payload' in asked ? verdictOf(auditProblems(asked.payload.value)) : asked.verdict;
    }),
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
