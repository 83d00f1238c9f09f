import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  type AuditOperation,
  type AuditRun,
  auditOperations,
  compositeOperations,
  marketOperations,
  surfaceOperations,
} from '../../data/contract/payloads/audit/auditRun.ts';
import { type CovenantStress, covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { type PeerRanking, peerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import { perpFactors } from '../../data/contract/payloads/market/perpFactors.ts';
import {
  type PerpRankingRow,
  perpRankingRow,
  perpRankings,
} from '../../data/contract/payloads/market/perpRankings.ts';
import { type CompanyRow, wholeCompanies } from '../../data/contract/payloads/universe/companies.ts';
import { covenantStressList } from '../../data/contract/payloads/universe/covenantStressList.ts';
import { readiness } from '../../data/contract/payloads/universe/readiness.ts';
import { artifactManifest } from '../../data/contract/release/releaseFiles.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { instant } from '../../data/contract/values/instant.ts';
import type { ArtifactStore, Release, Snapshot } from '../store/artifactStore.ts';
import { type Ask, type AuditClient, auditClient, exactJson, pages, payloadBytes } from './auditClient.ts';
import { compositeChecks } from './compositeChecks.ts';
import { type AuditScope, issuerChecks } from './issuerChecks.ts';
import { marketChecks } from './marketChecks.ts';
import { rankedByRight } from './scoreChecks.ts';
import { surfaceChecks } from './surfaceChecks.ts';
import { failed, newTally, notApplicable, passed, skipped, type Verdict } from './verdicts.ts';

/** One replayed row: its issuer, null for that of a product, and what was asked for. */
type Replay = { readonly cik: string | null; readonly operation: string; readonly verdict: Verdict };

type ReplayInput = {
  readonly ask: Ask;
  readonly routes: readonly Route[];
  readonly snapshot: Snapshot;
  readonly samples: number;
};

/**
 * Asks for sampled factor rows by their date and compares them with what the release of that date ranked: a row of the
 * past is never rewritten (M13.8, M15.53). The sample is spread evenly, oldest first.
 */
async function replayMarket(input: ReplayInput): Promise<readonly Replay[]> {
  const replays: Replay[] = [];
  for (const row of spread(await rankedRows(input.snapshot), input.samples)) {
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
    const { rows } = perpRankings.stored;
    const list = (await release?.rows(rows, rows.key({ slice, bucket_length: '1d' })))?.list;
    for (let row = 0; row < (list?.count ?? 0); row += 1)
      found.push(perpRankingRow.parse(JSON.parse(String(list?.line(row)))));
  }
  return found;
}

async function replayedRanking(
  { ask, routes }: { ask: Ask; routes: readonly Route[] },
  row: PerpRankingRow,
): Promise<Verdict> {
  const client = auditClient({ ask, routes, sourceDate: row.source_date, rowStoresOnly: false });
  const target = `/v1/market-core/perps/factors/${row.product}?bucket_length=1d`;
  const asked = await client.ask('R14', target, perpFactors.schema);
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
async function replayHistory(input: ReplayInput): Promise<readonly Replay[]> {
  const replays: Replay[] = [];
  for (const row of spread(await storedRows(input.snapshot), input.samples)) {
    const client = auditClient({ ...input, sourceDate: row.sourceDate, rowStoresOnly: false });
    const { cik, sourceDate } = row;
    replays.push({ cik, operation: `replay of ${sourceDate}`, verdict: await replayedRow(client, row) });
  }
  return replays;
}

/** At most so many rows, evenly spread over all. */
function* spread<T>(rows: readonly T[], samples: number): Generator<T> {
  const step = Math.max(1, rows.length / samples);
  for (let at = 0; at < rows.length; at += step) yield rows[Math.floor(at)] as T;
}

type StoredRow = { readonly cik: string; readonly sourceDate: string; readonly bytes: Buffer };

async function storedRows(snapshot: Snapshot): Promise<StoredRow[]> {
  const found: StoredRow[] = [];
  for (const sourceDate of snapshot.dates) {
    const release = await snapshot.ofDate(sourceDate);
    const { rows } = covenantStress.stored;
    const list = (await release?.rows(rows, rows.key({ slice: sourceDate })))?.list;
    list?.column('cik').forEach((cik, row) => {
      found.push({ cik: String(cik), sourceDate, bytes: list.line(row) });
    });
  }
  return found;
}

async function replayedRow(client: ReturnType<typeof auditClient>, row: StoredRow): Promise<Verdict> {
  const asked = await client.ask('R11', `/v1/covenant-stress/${row.cik}`, covenantStress.schema);
  if (!('payload' in asked)) return asked.verdict;
  const payload = payloadBytes(asked.payload.answer);
  if (payload === null) return skipped('no_payload_length');
  return payload.equals(row.bytes) ? passed : failed('the replayed row has other bytes than the stored one');
}

/** A run before it is signed. */
export type UnsignedRun = Omit<AuditRun, 'signature'>;

const historicalSamples = 60;
const marketSamples = 30;
const companiesPage = 500;
const defaultFreshnessHours = 36;

/**
 * Reads a promoted release through the server's handler, like a client: nine operations for each issuer of the
 * universe, the composite operations and the replay of sampled rows (M13.7–M13.10).
 *
 * @param sourceDate the slice to audit; null is the current one
 * @throws IssuerError `input_missing` when no release answers for the date.
 */
export async function runAudit({
  ask,
  store,
  routes,
  sourceDate,
  nowMs,
}: {
  ask: Ask;
  store: ArtifactStore;
  routes: readonly Route[];
  sourceDate: string | null;
  nowMs: () => number;
}): Promise<UnsignedRun> {
  const startedMs = nowMs();
  const snapshot = await store.snapshot();
  const release = await releaseToAudit(snapshot, sourceDate);
  const isCurrent = release.name === snapshot.currentName;
  const client = auditClient({
    ask,
    routes,
    sourceDate: isCurrent ? null : release.sourceDate,
    rowStoresOnly: release.rowStoresOnly,
  });
  const { source, leftOut, leftOutArtifacts } = madeFrom(release);
  const universe = await universeOf(ask);
  const rows = await sliceRows(client);
  const scope = scopeOf({ client, release, rows, universe });
  const tally = newTally();
  for (const company of universe) {
    for (const operation of auditOperations) {
      tally.add(
        operation,
        company.cik,
        await issuerOperation(operation, { company, scope, source, leftOut, isCurrent }),
      );
    }
  }
  const composite: AuditRun['composite'] = [];
  const rowCount = rows.size;
  const holdsMarket = release.has(
    perpRankings.stored.rows.key({ slice: release.sourceDate, bucket_length: '1d' }),
  );
  const checks = [
    ...compositeOperations.map((operation) => ({
      operation,
      check: () => compositeChecks[operation]({ client, rowCount }),
    })),
    ...marketOperations.map((operation) => ({
      operation,
      check: () => marketChecks[operation]({ client, holdsMarket }),
    })),
    ...surfaceOperations.map((operation) => ({
      operation,
      check: () => surfaceChecks[operation]({ client, ask, routes, isCurrent, leftOutArtifacts }),
    })),
  ];
  for (const { operation, check } of checks) {
    const verdict = await guarded(check);
    composite.push({ operation, outcome: verdict.outcome, reason: reasonOf(verdict) });
    if (verdict.outcome === 'failed') tally.note(null, operation, verdict.reason);
  }
  const replays = [
    ...(await replayHistory({ ask, routes, snapshot, samples: historicalSamples })),
    ...(await replayMarket({ ask, routes, snapshot, samples: marketSamples })),
  ];
  for (const { cik, operation, verdict } of replays) {
    if (verdict.outcome === 'failed') tally.note(cik, operation, verdict.reason);
  }
  return {
    schema_id: 'audit_run.v1',
    source_date: release.sourceDate,
    release: release.name,
    manifest_sha256: release.manifestSha256,
    source,
    mode: 'in_process',
    started_at_utc: instant(startedMs),
    finished_at_utc: instant(nowMs()),
    freshness_window_hours: await freshnessWindow(client),
    issuer_count: universe.length,
    ...tally.totals(),
    identity_gap_count: universe.filter((company) => company.ticker === null).length,
    composite_operation_count: composite.length,
    composite_failed_count: composite.filter((c) => c.outcome === 'failed').length,
    composite,
    historical_operation_count: replays.length,
    historical_failed_count: replays.filter((r) => r.verdict.outcome === 'failed').length,
    failures: tally.failures(),
  };
}

async function issuerOperation(
  operation: AuditOperation,
  {
    company,
    scope,
    source,
    leftOut,
    isCurrent,
  }: {
    company: CompanyRow;
    scope: AuditScope;
    source: string;
    leftOut: ReadonlySet<string>;
    isCurrent: boolean;
  },
): Promise<Verdict> {
  const hasRow = scope.rows.has(company.cik);
  if (!hasRow && leftOut.has(company.cik)) return failed('left_out_of_slice');
  // the list of companies is today's: which issuers had a filing on a past date only that slice says
  if (!hasRow && !isCurrent) return notApplicable('no_row_on_that_date');
  // an issuer without an eligible filing has no row by right, except where the source has every filing (M13.7)
  if (!hasRow && company.coverage_status === 'not_covered') {
    return source === 'edgar' ? failed('no_filing_in_inputs') : notApplicable('no_filing_in_inputs');
  }
  return guarded(() => issuerChecks[operation](scope, company.cik));
}

/** A defect of one check fails its operation and not the audit. */
async function guarded(check: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await check();
  } catch (error) {
    return failed(`the check could not be made: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function scopeOf({
  client,
  release,
  rows,
}: {
  client: AuditClient;
  release: Release;
  rows: ReadonlyMap<string, readonly CovenantStress[]>;
  universe: readonly CompanyRow[];
}): AuditScope {
  let rankings: Promise<readonly PeerRanking[]> | null = null;
  return {
    client,
    sourceDate: release.sourceDate,
    rows,
    rankedByRight: rankedByRight([...rows.values()].flat()),
    rankings() {
      rankings ??= readRankings(client, [...rows.keys()]);
      return rankings;
    },
  };
}

async function readRankings(client: AuditClient, ciks: readonly string[]): Promise<readonly PeerRanking[]> {
  const found: PeerRanking[] = [];
  for (const cik of ciks) {
    const target = `/v1/peer-ranking/${cik}`;
    const asked = await client.ask('R10', target, peerRanking.schema);
    if ('payload' in asked) found.push(asked.payload.value);
  }
  return found;
}

async function releaseToAudit(snapshot: Snapshot, sourceDate: string | null): Promise<Release> {
  const release = sourceDate === null ? await snapshot.current() : await snapshot.ofDate(sourceDate);
  if (release !== null) return release;
  throw new IssuerError({
    code: 'input_missing',
    message: sourceDate === null ? 'No release is promoted yet.' : `No release answers for ${sourceDate}.`,
    hint: 'Run `issuer nightly`, or see `issuer release list`.',
  });
}

/** The source of a release, the issuers whose row and the keys whose artifact could not be made (M6.6b, M6.6c). */
function madeFrom(release: Release): {
  source: string;
  leftOut: ReadonlySet<string>;
  leftOutArtifacts: readonly string[];
} {
  const parsed = artifactManifest.safeParse(JSON.parse(release.manifestBytes.toString('utf8')));
  const inputs = parsed.success ? parsed.data.inputs : {};
  return {
    source: inputs['source'] ?? 'unknown',
    leftOut: new Set(inputs['left_out']?.split(' ')),
    leftOutArtifacts: inputs['left_out_artifacts']?.split(' ') ?? [],
  };
}

/** Every issuer of the universe, from the free list a client would read. */
async function universeOf(ask: Ask): Promise<readonly CompanyRow[]> {
  const found: CompanyRow[] = [];
  for (;;) {
    const answer = await ask(`/companies?limit=${companiesPage}&offset=${found.length}`);
    const parsed = wholeCompanies.safeParse(exactJson(answer.bytes.toString('utf8')));
    if (!parsed.success) {
      throw new IssuerError({
        code: 'validation_failed',
        message: `GET /companies does not answer (status ${answer.status}); the universe is not known.`,
        hint: 'Look at `issuer-serve get /companies`.',
      });
    }
    found.push(...parsed.data.companies);
    if (parsed.data.companies.length === 0 || found.length >= parsed.data.total) return found;
  }
}

async function sliceRows(client: AuditClient): Promise<Map<string, CovenantStress[]>> {
  const listed = await pages(client, {
    routeId: 'R12',
    path: '/v1/covenant-stress',
    limit: 100,
    schema: covenantStressList.schema,
    rowsOf: ({ data }) => data,
    totalOf: ({ meta }) => meta.total,
  });
  return 'rows' in listed ? Map.groupBy(listed.rows, (row) => row.cik) : new Map();
}

async function freshnessWindow(client: AuditClient): Promise<number> {
  const asked = await client.ask('R01', '/v1/readiness', readiness.schema);
  return 'payload' in asked ? asked.payload.value.freshness_window_hours : defaultFreshnessHours;
}

function reasonOf(verdict: Verdict): string | null {
  return verdict.outcome === 'ok' ? null : verdict.reason;
}
