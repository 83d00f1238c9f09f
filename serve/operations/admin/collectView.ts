import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Ready } from '../../../contract/emit/operations.ts';
import type { AuditStatus } from '../../../contract/payloads/auditStatus.ts';
import {
  freshnessFacts,
  readiness,
  type SliceFreshness,
  sliceFreshness,
} from '../../../contract/payloads/readiness.ts';
import { auditStatusOf } from '../../audit/auditStatusOf.ts';
import { readStored } from '../../find/servable/servableOf.ts';
import type { Ledger } from '../../ledger/port/ledger.ts';
import { type LedgerAddress, shownAddress } from '../../ledger/port/ledgerAddress.ts';
import type { BreakerLine } from '../../payments/composePayments.ts';
import type { ArtifactStore, Release, Snapshot } from '../../store/artifactStore.ts';
import { unavailable } from '../../store/unavailable.ts';
import { type OperatorView, type Part, partOf, type ReleaseLine } from './operatorView.ts';

const shownReleases = 7;
/** A view is shown while the next is made, so only the first request waits for these. */
const figuresMs = 15_000;

/** What costs time to collect; how the store does is asked for each request. */
type KeptParts = Omit<OperatorView, 'remote'>;

/** Collects the operator's view; it never fails, and what is away says so in its part. */
export async function collectView(deps: {
  store: ArtifactStore;
  ledger: Pick<Ledger, 'health' | 'figures'>;
  ledgerAddress: LedgerAddress;
  ready(): Promise<Ready>;
  breakers(): readonly BreakerLine[];
  signatures: string | null;
  nowMs(): number;
}): Promise<KeptParts> {
  const nowMs = deps.nowMs();
  const { ledger, ledgerAddress } = deps;
  const [ready, releases, freshness, lastRun, audit, health, figures, freeBytes] = await Promise.all([
    partOf(deps.ready),
    partOf(async () => releasesOf(await deps.store.snapshot())),
    partOf(async () => freshnessOf(await deps.store.snapshot(), nowMs)),
    partOf(() => deps.store.lastRun()),
    partOf(() => auditOf(deps.store, nowMs)),
    partOf(() => ledger.health()),
    partOf(() => ledger.figures({ nowMs, withinMs: figuresMs })),
    ledgerAddress.kind === 'sqlite' ? freeBytesAt(dirname(ledgerAddress.path)) : null,
  ]);
  return {
    atMs: nowMs,
    ready,
    releases,
    freshness,
    lastRun,
    audit,
    health,
    figures,
    ledger: { address: shownAddress(ledgerAddress), freeBytes },
    breakers: deps.breakers(),
    signatures: deps.signatures,
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
