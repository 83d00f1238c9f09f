import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { AuditStatus } from '../../data/contract/payloads/audit/auditStatus.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import type { OfferedTool } from '../../data/contract/tools/offeredTools.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { auditStatusOf } from '../audit/auditStatusOf.ts';
import { openBodies } from '../body/openBodies.ts';
import { envelopedBody } from '../body/servableBody.ts';
import { servableHeaders } from '../body/servableHeaders.ts';
import type { ArtifactStore } from '../store/artifactStore.ts';
import { auditName, type StoredRun } from '../store/storedAudit.ts';
import { type BodyInput, toolBody } from './toolBody.ts';
import { type PreparedSource, soldSource, type ToolSource } from './toolSource.ts';

/** The audit status as a tool answers it: sold where a run is stored, free where there is none (I2.36). */
export type AuditAnswer =
  | { readonly kind: 'sold'; readonly source: ToolSource }
  | { readonly kind: 'told'; readonly input: BodyInput };

/** Reads the newest run and puts its status together as the clock stands (I2.34–I2.36, M13.9). */
export async function auditAnswer({
  store,
  offered,
  endpoint,
  names,
  nowMs,
}: {
  store: Pick<ArtifactStore, 'audit'>;
  offered: OfferedTool;
  endpoint: Route;
  names: ReadonlySet<string>;
  nowMs: number;
}): Promise<AuditAnswer> {
  const stored = await readable(store);
  const run = stored?.run ?? null;
  const status = auditStatusOf({ run, bytes: stored?.bytes ?? 0, nowMs });
  const open = openText(status);
  const input: BodyInput = {
    offered,
    names,
    open,
    subject: null,
    sourceDate: run?.source_date ?? null,
    asked: {},
  };
  if (stored === null) return { kind: 'told', input };
  return { kind: 'sold', source: { ...sold({ stored, status, input, endpoint }), lookup: null } };
}

function sold({
  stored: { run, sha256 },
  status,
  input,
  endpoint,
}: {
  stored: StoredRun;
  status: AuditStatus;
  input: BodyInput;
  endpoint: Route;
}): PreparedSource {
  const artifact = {
    artifactKey: auditName(run.source_date),
    artifactVersion: `${run.source_date}+${sha256.slice(0, 12)}`,
    artifactSha256: sha256,
    sourceDate: run.source_date,
    computedAt: run.finished_at_utc,
    subject: null,
    priceMicroUsd: endpoint.priceMicroUsd,
    route: endpoint,
  };
  const facts = {
    ...artifact,
    cacheHit: false,
    payloadMode: 'compact',
    said: { qualityFlags: [], caveats: status.stale ? ['stale_audit'] : [] },
  };
  const bodies = openBodies({ open: input.open });
  const body = envelopedBody({ bodies, tag: sha256.slice(0, 32), facts, serveTime: null });
  return soldSource({
    offered: input.offered,
    endpoint,
    body: toolBody(input),
    facts,
    payloadSha256: bodies.payloadSha256,
    serveTime: null,
    freshnessHours: run.freshness_window_hours,
    servable: {
      ...artifact,
      body,
      counts: null,
      priceComponents: null,
      routeUri: '',
      tool: null,
      headers: servableHeaders({ ...artifact, body }),
      repriced: new Map(),
      challenges: new WeakMap(),
    },
  });
}

// a run that cannot be read is none: the status says so itself (I2.36)
async function readable(store: Pick<ArtifactStore, 'audit'>): Promise<StoredRun | null> {
  try {
    return await store.audit();
  } catch (error) {
    if (error instanceof IssuerError) return null;
    throw error;
  }
}

function openText(status: AuditStatus): Buffer {
  return Buffer.from(canonicalJson(status as unknown as CanonicalValue).slice(0, -1));
}
