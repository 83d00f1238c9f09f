import { perpFactors } from '../../data/contract/payloads/market/perpFactors.ts';
import {
  type PerpRankingRow,
  perpRankingRow,
  perpRankings,
} from '../../data/contract/payloads/market/perpRankings.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type { Snapshot } from '../store/artifactStore.ts';
import { type Ask, auditClient } from './auditClient.ts';
import type { Replay } from './historicalChecks.ts';
import { failed, passed, type Verdict } from './verdict.ts';

/**
 * Asks for sampled factor rows by their date and compares them with what the release of that date ranked: a row of the
 * past is never written anew (M13.8, M15.53). The sample is spread evenly, oldest first.
 */
export async function replayMarket(input: {
  ask: Ask;
  routes: readonly Route[];
  snapshot: Snapshot;
  samples: number;
}): Promise<readonly Replay[]> {
  const rows = await rankedRows(input.snapshot);
  const step = Math.max(1, rows.length / input.samples);
  const replays: Replay[] = [];
  for (let at = 0; at < rows.length; at += step) {
    const row = rows[Math.floor(at)];
    if (row === undefined) break;
    const verdict = await replayed(input, row);
    replays.push({ cik: null, operation: `replay of ${row.product} on ${row.source_date}`, verdict });
  }
  return replays;
}

/** The daily rows that every release with market data ranked. */
async function rankedRows(snapshot: Snapshot): Promise<PerpRankingRow[]> {
  const found: PerpRankingRow[] = [];
  for (const slice of snapshot.dates) {
    const release = await snapshot.ofDate(slice);
    const store = await release?.rows(perpRankings.stored.rows.key({ slice, bucket_length: '1d' }));
    if (store === null || store === undefined) continue;
    const lines = store.bytes.toString('utf8').split('\n').slice(0, store.index.rows);
    found.push(...lines.map((line) => perpRankingRow.parse(JSON.parse(line))));
  }
  return found;
}

async function replayed(
  { ask, routes }: { ask: Ask; routes: readonly Route[] },
  row: PerpRankingRow,
): Promise<Verdict> {
  const client = auditClient({ ask, routes, sourceDate: row.source_date, rowStoresOnly: false });
  const target = `/v1/market-core/perps/factors/${row.product}?bucket_length=1d`;
  const asked = await client.ask({ routeId: 'R14', target, schema: perpFactors.schema });
  if (!('payload' in asked)) return asked.verdict;
  const stored = asked.payload.value.data.find((one) => one.observed_bucket_utc === row.observed_bucket_utc);
  if (stored === undefined) return failed('the history has no such bucket');
  const figures = ({ factors, deltas }: Pick<PerpRankingRow, 'factors' | 'deltas'>) =>
    canonicalJson({ factors, deltas });
  return figures(stored) === figures(row)
    ? passed
    : failed('the history has other figures than its night ranked');
}
