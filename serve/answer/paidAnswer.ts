import type { LastRun } from '../../data/contract/release/releaseFiles.ts';
import type { Admit } from '../access/accessDecision.ts';
import type { Coding } from '../body/openBodies.ts';
import { usd } from '../body/servableBody.ts';
import type { Outgoing } from '../exchange.ts';
import type { Found } from '../find/servable/findInput.ts';
import { matchesTag, type Servable } from '../find/servable/servable.ts';
import type { ServableLocator } from '../find/servableLocator.ts';
import type { RateState } from '../http/rateLimit.ts';
import { withCallHeaders } from '../http/standardHeaders.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import type { ArtifactStore, Release, Snapshot } from '../store/artifactStore.ts';

/** What the answers of one call need beside the servable. */
export type PaidCall = {
  readonly servable: Servable;
  readonly requestId: string;
  readonly rate: RateState | null;
  /** Coding of a paid body that the client prefers (I9.20). */
  readonly coding: Coding;
  readonly ifNoneMatch: string | undefined;
  readonly startedMs: number;
  readonly nowMs: number;
};

/** What an admitted answer says of its call. */
export type Admission = {
  readonly admit: Admit;
  readonly lookup: Found['lookup'];
  /** How the last night ended; null unless the body shows it. */
  readonly lastRun: LastRun | null;
};

/** 200 or 304 of an admitted call, HEAD without body (I4.24–I4.28, I9.12). */
export function paidAnswer(call: PaidCall, { admit, lookup, lastRun }: Admission): Outgoing {
  const { servable } = call;
  const { receipt } = admit;
  const { body } = servable;
  const coding = body.codable ? call.coding : 'identity';
  const record = {
    requestId: call.requestId,
    route: servable.route.id,
    code: null,
    receiptId: receipt?.receiptId ?? null,
    apiKeyId: admit.apiKeyId,
  };
  const headers = withCallHeaders(servable.headers.admitted[coding], call);
  if (receipt === null) {
    headers.push(...servable.headers.head);
    return { status: 200, headers, body: [], record, done: () => admit.done('delivered') };
  }
  headers.push('X-Receipt-Id', receipt.receiptId, 'X-Reconciliation-Key', receipt.reconciliationKey);
  headers.push('X-Charge-Status', receipt.chargeStatus, 'X-Cost-USD', usd(receipt.chargedMicro));
  for (const text of admit.headers) headers.push(text);
  if (call.ifNoneMatch !== undefined && matchesTag(call.ifNoneMatch, body.tagIn(coding))) {
    return { status: 304, headers, body: [], record, done: admit.done };
  }
  const { nowMs, startedMs, requestId } = call;
  const latencyMs = Math.max(0, Math.round(nowMs - startedMs));
  const finished = body.finish(
    { receipt, replayed: admit.replayed, requestId, servedMs: nowMs, latencyMs, lookup, lastRun },
    coding,
  );
  for (const text of finished.headers) headers.push(text);
  return { status: 200, headers, body: finished.chunks, record, done: admit.done };
}

/** Most builds of one slice that are searched for a version, below the promoted one and above it. */
const buildsBelow = 64;
const buildsAbove = 8;

/**
 * The answer of a replay in the artifact version that was served first, while its build is retained, else the
 * current one (I5.26, P8.30).
 */
export async function servedVersion(
  plan: RoutePlan,
  { artifactVersion, current }: { readonly artifactVersion: string; readonly current: Found },
  deps: { readonly store: ArtifactStore; readonly locate: ServableLocator },
): Promise<Found> {
  const version = artifactVersion;
  const sourceDate = /^(\d{4}-\d{2}-\d{2})\+/.exec(version)?.[1];
  if (sourceDate === undefined) return current;
  const snapshot = await deps.store.snapshot();
  const promoted = await snapshot.ofDate(sourceDate);
  const withdrawn = snapshot.withdrawn.find((slice) => slice.source_date === sourceDate)?.release;
  const name = promoted?.name ?? withdrawn;
  for (const build of buildsAround(Number(name?.split('.')[1] ?? 0))) {
    const release = await snapshot.retained(`${sourceDate}.${build}`);
    if (release === null) continue;
    const found = await tryLocate(plan, onlyRelease(snapshot, release), deps.locate);
    if (found?.servable.artifactVersion === version) return found;
  }
  return current;
}

/** Older builds first. Newer ones were taken back since, or another server saw their promotion before this one. */
function* buildsAround(promoted: number): Generator<number> {
  for (let build = promoted; build > 0 && build > promoted - buildsBelow; build -= 1) yield build;
  for (let build = promoted + 1; build <= promoted + buildsAbove; build += 1) yield build;
}

// a build that no longer holds the answer is no reason to fail a replay
async function tryLocate(
  plan: RoutePlan,
  snapshot: Snapshot,
  locate: ServableLocator,
): Promise<Found | null> {
  try {
    return await locate(plan, snapshot);
  } catch {
    return null;
  }
}

/** The pointers as they were when this release was the current one of its date. */
function onlyRelease(snapshot: Snapshot, release: Release): Snapshot {
  return {
    currentName: release.name,
    dates: snapshot.dates,
    withdrawn: snapshot.withdrawn,
    current: async () => release,
    ofDate: async (date) => (date === release.sourceDate ? release : snapshot.ofDate(date)),
    named: async (name) => (name === release.name ? release : snapshot.named(name)),
    retained: snapshot.retained,
  };
}
