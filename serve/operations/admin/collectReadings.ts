import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AuditStatus } from '../../../data/contract/payloads/audit/auditStatus.ts';
import {
  freshnessFacts,
  readiness,
  type SliceFreshness,
  sliceFreshness,
} from '../../../data/contract/payloads/universe/readiness.ts';
import { auditStatusOf } from '../../audit/auditStatusOf.ts';
import { readStored } from '../../find/servable/servableOf.ts';
import type { Ledger } from '../../ledger/port/ledger.ts';
import { type LedgerAddress, shownAddress } from '../../ledger/port/ledgerAddress.ts';
import { unavailable } from '../../store/artifactFaults.ts';
import type { ArtifactStore, Release, Snapshot } from '../../store/artifactStore.ts';
import { type OperatorView, type Part, partOf, type ReleaseLine } from './operatorView.ts';

const shownReleases = 7;
/** Readings are shown while the next are made, so only the first request waits for these. */
const figuresMs = 15_000;

/** The part of the operator's view that costs time to read. */
export type Readings = Pick<
  OperatorView,
  'readMs' | 'releases' | 'freshness' | 'audit' | 'figures' | 'ledger'
>;

/** Reads what the operator sees of releases and money; it never fails, and what is away says so in its part. */
export async function collectReadings(deps: {
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
