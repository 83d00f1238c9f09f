import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { perpFactors } from '../../data/contract/payloads/market/perpFactors.ts';
import {
  type PerpRankingRow,
  perpRankingRow,
  perpRankings,
} from '../../data/contract/payloads/market/perpRankings.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import type { Snapshot } from '../store/artifactStore.ts';
import { type Ask, auditClient, payloadBytes } from './auditClient.ts';
import { failed, passed, skipped, type Verdict } from './verdicts.ts';

/** One replayed row: its issuer, null for that of a product, and what was asked for. */
type Replay = { readonly cik: string | null; readonly operation: string; readonly verdict: Verdict };

/**
 * Asks for sampled factor rows by their date and compares them with what the release of that date ranked: a row of the
 * past is never rewritten (M13.8, M15.53). The sample is spread evenly, oldest first.
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
    const verdict = await replayedRanking(input, row);
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

async function replayedRanking(
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

/**
 * Replays sampled (issuer, source_date) rows with `source_date` and compares the payload byte for byte with the
 * row the release of that date stores (M13.8, M15.56). The sample is spread evenly over all rows, oldest first,
 * so the same releases give the same sample.
 */
export async function replayHistory(input: {
  ask: Ask;
  routes: readonly Route[];
  snapshot: Snapshot;
  samples: number;
}): Promise<readonly Replay[]> {
  const rows = await storedRows(input.snapshot);
  const step = Math.max(1, rows.length / input.samples);
  const replays: Replay[] = [];
  for (let at = 0; at < rows.length; at += step) {
    const row = rows[Math.floor(at)];
    if (row === undefined) break;
    const client = auditClient({ ...input, sourceDate: row.sourceDate, rowStoresOnly: false });
    const { cik, sourceDate } = row;
    replays.push({ cik, operation: `replay of ${sourceDate}`, verdict: await replayedRow(client, row) });
  }
  return replays;
}

type StoredRow = { readonly cik: string; readonly sourceDate: string; readonly bytes: Buffer };

async function storedRows(snapshot: Snapshot): Promise<StoredRow[]> {
  const found: StoredRow[] = [];
  for (const sourceDate of snapshot.dates) {
    const release = await snapshot.ofDate(sourceDate);
    const store = await release?.rows(covenantStress.stored.rows.key({ slice: sourceDate }));
    if (store === null || store === undefined) continue;
    const { offsets, columns } = store.index;
    for (let i = 0; i < store.index.rows; i += 1) {
      // each row ends with a newline that is not part of it
      const bytes = store.bytes.subarray(offsets[i] ?? 0, (offsets[i + 1] ?? 1) - 1);
      found.push({ cik: String(columns['cik']?.[i]), sourceDate, bytes });
    }
  }
  return found;
}

async function replayedRow(client: ReturnType<typeof auditClient>, row: StoredRow): Promise<Verdict> {
  const asked = await client.ask({
    routeId: 'R11',
    target: `/v1/covenant-stress/${row.cik}`,
    schema: covenantStress.schema,
  });
  if (!('payload' in asked)) return asked.verdict;
  const payload = payloadBytes(asked.payload.answer);
  if (payload === null) return skipped('no_payload_length');
  return payload.equals(row.bytes) ? passed : failed('the replayed row has other bytes than the stored one');
}
