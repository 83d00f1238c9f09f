import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import type { Ready } from '../../../data/contract/emit/operations.ts';
import type { AuditStatus } from '../../../data/contract/payloads/audit/auditStatus.ts';
import {
  freshnessFacts,
  readiness,
  type SliceFreshness,
  sliceFreshness,
} from '../../../data/contract/payloads/universe/readiness.ts';
import { versions } from '../../../data/contract/values/versions.ts';
import { auditStatusOf } from '../../audit/auditStatusOf.ts';
import type { Config } from '../../config/config.ts';
import { isAddressedHost } from '../../config/hostAddress.ts';
import { readStored } from '../../find/servable/servableOf.ts';
import type { ServeDeps } from '../../handle.ts';
import type { Ledger, LedgerTime } from '../../ledger/port/ledger.ts';
import { type LedgerAddress, shownAddress } from '../../ledger/port/ledgerAddress.ts';
import { bind } from '../../listen.ts';
import type { ComposedPayments } from '../../payments/composePayments.ts';
import { unavailable } from '../../store/artifactFaults.ts';
import type { ArtifactStore, Release, Snapshot } from '../../store/artifactStore.ts';
import { readMetricsFile, settlerMetricsPath } from '../metrics/metricsFile.ts';
import type { ServerMetrics } from '../metrics/serverMetrics.ts';
import { operationsPage } from '../page/operationsPage.ts';
import { type OperatorView, type Part, partOf, type ReleaseLine } from './operatorView.ts';

/**
 * Opens the admin listener of a running server: metrics and the operations page (P0.6).
 *
 * @throws IssuerError `configuration` when `II_ADMIN_LISTEN` cannot be bound.
 */
export function startOperations({
  config,
  deps,
  ledger,
  payments,
  metrics,
  time,
  monotonicMs,
  reportDefect,
}: {
  config: Config;
  deps: Pick<ServeDeps, 'store' | 'free'>;
  ledger: Ledger;
  payments: Pick<ComposedPayments, 'breakers' | 'signatures'>;
  metrics: ServerMetrics;
  time: LedgerTime;
  /** A clock that does not step. */
  monotonicMs(): number;
  reportDefect(error: unknown): void;
}): Promise<AdminListener> {
  const nowMs = () => time.nowMs();
  const readings = keptView({
    monotonicMs,
    make: () => collectReadings({ store: deps.store, ledger, ledgerAddress: config.ledger, nowMs }),
  });
  return listenAdmin({
    ...config.adminListen,
    answer: adminAnswerer({
      view: async () =>
        momentView(await readings(), { store: deps.store, ledger, payments, ready: deps.free.ready, nowMs }),
      metrics,
      // the clock of the file system, not of the ledger
      settlerText: () => readMetricsFile({ path: settlerMetricsPath(config.dataRoot), nowMs: Date.now() }),
    }),
    reportDefect,
  });
}

/** How long a view is cached at least, and how many times its own making. */
const leastKeptMs = 2000;
const keptTimes = 20;
/** A view that took longer than this to make is shown a while longer, so that no request waits for its successor. */
const slowMs = 500;
const shownWhileMakingMs = 120_000;

type Kept<T> = { readonly view: T; readonly untilMs: number; readonly shownUntilMs: number };

/**
 * Makes a view at most every 2 s and never twice at once; one that took long is cached twenty times as long, so that
 * views cost at most a twentieth of one thread, and is shown until the next one is there. `monotonicMs` is a
 * clock that does not step.
 */
export function keptView<T>(deps: { make(): Promise<T>; monotonicMs(): number }): () => Promise<T> {
  let kept: Kept<T> | null = null;
  let making: Promise<T> | null = null;

  async function make(): Promise<T> {
    const sinceMs = deps.monotonicMs();
    const view = await deps.make();
    const endMs = deps.monotonicMs();
    const tookMs = endMs - sinceMs;
    const untilMs = endMs + Math.max(leastKeptMs, keptTimes * tookMs);
    kept = { view, untilMs, shownUntilMs: untilMs + (tookMs > slowMs ? shownWhileMakingMs : 0) };
    return view;
  }

  return () => {
    const nowMs = deps.monotonicMs();
    if (kept !== null && nowMs < kept.untilMs) return Promise.resolve(kept.view);
    making ??= make().finally(() => {
      making = null;
    });
    if (kept === null || nowMs >= kept.shownUntilMs) return making;
    // its failure reaches the requests that wait for it; this one does not
    making.catch(() => {});
    return Promise.resolve(kept.view);
  };
}

/**
 * The operator's view of this moment beside readings that may be minutes old: whether calls can be served, ledger, store
 * and providers say how they do at each request, so that a page never calls ready what has stopped since.
 */
async function momentView(
  readings: Readings,
  {
    store,
    ledger,
    payments,
    ready,
    nowMs,
  }: {
    store: Pick<ArtifactStore, 'lastRun' | 'remote'>;
    ledger: Pick<Ledger, 'health'>;
    payments: Pick<ComposedPayments, 'breakers' | 'signatures'>;
    ready(): Promise<Ready>;
    nowMs(): number;
  },
): Promise<OperatorView> {
  const [served, lastRun, health] = await Promise.all([
    partOf(ready),
    partOf(() => store.lastRun()),
    partOf(() => ledger.health()),
  ]);
  return {
    ...readings,
    atMs: nowMs(),
    ready: served,
    lastRun,
    health,
    breakers: payments.breakers(),
    remote: store.remote(),
    signatures: payments.signatures,
  };
}

/** The listener of metrics and the operations page, never public (P0.6). */
type AdminListener = { readonly host: string; readonly port: number; close(): Promise<void> };

const limits = { headerBytes: 8192, headersMs: 5000, requestMs: 10_000, connections: 64 } as const;

/**
 * Listens on `II_ADMIN_LISTEN`; resolves when the socket does.
 *
 * @throws IssuerError `configuration` when the address cannot be bound.
 */
async function listenAdmin({
  host,
  port,
  answer,
  reportDefect,
}: {
  host: string;
  port: number;
  answer: ReturnType<typeof adminAnswerer>;
  reportDefect(error: unknown): void;
}): Promise<AdminListener> {
  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const { status, headers: sent, body } = await answer({ method, target: url, host: headers.host });
    response.writeHead(status, { ...sent, 'Content-Length': String(Buffer.byteLength(body)) });
    response.end(method === 'HEAD' ? undefined : body);
  }

  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
    },
    (request, response) => {
      exchange(request, response).catch((error: unknown) => {
        reportDefect(error);
        response.destroy();
      });
    },
  );
  server.maxConnections = limits.connections;
  return {
    host,
    port: await bind(server, { variable: 'II_ADMIN_LISTEN', host, port }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** One answer of the admin listener. */
type AdminAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

// the page needs its sheet and nothing else; what it shows came from outside in part
const policy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const always = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Answers the admin listener: `/` and its sheet, `/metrics`, and nothing that changes anything. */
function adminAnswerer({
  view,
  metrics,
  settlerText,
}: {
  view(): Promise<OperatorView>;
  metrics: Pick<ServerMetrics, 'text' | 'contentType'>;
  /** What the settlement process of this machine wrote of itself; empty when none runs. */
  settlerText(): Promise<string>;
}): (request: { method: string; target: string; host: string | undefined }) => Promise<AdminAnswer> {
  const sheet = readFileSync(new URL('../page/operations.css', import.meta.url), 'utf8');
  return async ({ method, target, host }) => {
    if (!isAddressedHost(host)) return text(421, 'Ask by address: this listener has no name.\n');
    if (method !== 'GET' && method !== 'HEAD')
      return { ...text(405, 'This listener only shows.\n'), headers: { ...plain, Allow: 'GET, HEAD' } };
    switch (target.split('?', 1)[0]) {
      case '/':
        return answer('text/html; charset=utf-8', operationsPage(await view(), versionNames));
      case '/operations.css':
        return answer('text/css; charset=utf-8', sheet);
      case '/metrics':
        return answer(metrics.contentType, (await metrics.text(await view())) + (await settlerText()));
      default:
        return text(404, 'Here are / and /metrics.\n');
    }
  };
}

const plain = { ...always, 'Content-Type': 'text/plain; charset=utf-8' };
const versionNames = { service: versions.service, version: versions.api };

function answer(contentType: string, body: string): AdminAnswer {
  return { status: 200, headers: { ...always, 'Content-Type': contentType }, body };
}

function text(status: number, body: string): AdminAnswer {
  return { status, headers: plain, body };
}

const shownReleases = 7;
/** Readings are shown while the next are made, so only the first request waits for these. */
const figuresMs = 15_000;

/** The part of the operator's view that costs time to read. */
type Readings = Pick<OperatorView, 'readMs' | 'releases' | 'freshness' | 'audit' | 'figures' | 'ledger'>;

/** Reads what the operator sees of releases and money; it never fails, and what is away says so in its part. */
async function collectReadings(deps: {
  store: ArtifactStore;
  ledger: Pick<Ledger, 'figures'>;
  ledgerAddress: LedgerAddress;
  nowMs(): number;
}): Promise<Readings> {
  const readMs = deps.nowMs();
  const { ledger, ledgerAddress } = deps;
  const [releases, freshness, audit, figures, freeBytes] = await Promise.all([
    partOf(async () => releasesOf(await deps.store.snapshot())),
    partOf(async () => freshnessOf(await deps.store.snapshot(), readMs)),
    partOf(() => auditOf(deps.store, readMs)),
    partOf(() => ledger.figures({ nowMs: readMs, withinMs: figuresMs })),
    ledgerAddress.kind === 'sqlite' ? freeBytesAt(dirname(ledgerAddress.path)) : null,
  ]);
  return {
    readMs,
    releases,
    freshness,
    audit,
    figures,
    ledger: { address: shownAddress(ledgerAddress), freeBytes },
  };
}

type Releases = Extract<OperatorView['releases'], { ok: true }>['value'];

// one manifest after the other: checking a signature holds the loop, and requests go in between
async function releasesOf(snapshot: Snapshot): Promise<Releases> {
  const current = await snapshot.current().catch(() => null);
  const newest: Part<ReleaseLine>[] = [];
  for (const date of snapshot.dates.slice(-shownReleases).reverse()) {
    newest.push(
      await partOf(async () => {
        const release = await snapshot.ofDate(date);
        if (release !== null) return releaseLine(release, snapshot);
        throw unavailable('manifest.json', `the release of ${date} is gone`);
      }),
    );
  }
  return {
    dates: snapshot.dates.length,
    newest,
    current: current === null ? null : releaseLine(current, snapshot),
    withdrawn: snapshot.withdrawn.toReversed(),
  };
}

function releaseLine(release: Release, snapshot: Snapshot): ReleaseLine {
  const { sourceDate, name, generatedAt, sliceStatus, artifactCount, manifestSha256, rowStoresOnly } =
    release;
  return {
    sourceDate,
    name,
    generatedAt,
    sliceStatus,
    artifactCount,
    manifestSha256,
    rowStoresOnly,
    current: name === snapshot.currentName,
  };
}

// of the release's own readiness, so that page and route judge by the same number
async function freshnessOf(snapshot: Snapshot, nowMs: number): Promise<SliceFreshness | null> {
  const release = await snapshot.current();
  if (release === null) return null;
  const key = readiness.stored.object.key({ slice: release.sourceDate });
  const stored = await release.object(key);
  if (stored === null) throw unavailable(key, 'the release does not list it');
  const facts = readStored(stored, (json) => freshnessFacts.parse(json));
  return sliceFreshness(facts, nowMs);
}

async function auditOf(store: ArtifactStore, nowMs: number): Promise<AuditStatus | null> {
  const stored = await store.audit();
  return stored === null ? null : auditStatusOf({ run: stored.run, bytes: stored.bytes, nowMs });
}

async function freeBytesAt(directory: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch {
    return null;
  }
}
