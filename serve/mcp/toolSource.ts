import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { AuditStatus } from '../../data/contract/payloads/audit/auditStatus.ts';
import type { ServeTimeMembers } from '../../data/contract/payloads/serveTime.ts';
import { readiness } from '../../data/contract/payloads/universe/readiness.ts';
import { type Route, routeUri } from '../../data/contract/routes/route.ts';
import type { ChosenRoute, OfferedTool } from '../../data/contract/tools/offeredTools.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { auditStatusOf } from '../audit/auditStatusOf.ts';
import { digestField, openBodies } from '../body/openBodies.ts';
import { type EnvelopedParts, envelopedBody, servableHeaders } from '../body/servableBody.ts';
import type { ConstantPiece } from '../body/splice.ts';
import type { Found } from '../find/servable/findInput.ts';
import type { Servable } from '../find/servable/servable.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import type { ArtifactStore, Snapshot } from '../store/artifactStore.ts';
import { auditName, type StoredRun } from '../store/storedAudit.ts';
import { askedArguments } from './endpointCall.ts';
import { type BodyInput, type Provenance, resultLead, type ToolBody, toolBody } from './toolBody.ts';

/** The answer of a paid tool before access is decided: what is sold, and what it is finished from. */
export type ToolSource = {
  /** The answer as the tool protocol sells it (P1.3). */
  readonly servable: Servable;
  readonly body: ToolBody;
  /** Rest of the provenance and follow-ups, which no call changes. */
  readonly lead: ConstantPiece;
  readonly serveTime: ServeTimeMembers | null;
  readonly lookup: Found['lookup'];
  readonly caveats: readonly string[];
  readonly provenance: Provenance;
  /** Constant headers of its answers. */
  readonly headers: readonly string[];
};

/** A source for all calls of one answer: how the call asked for it is not part of it. */
export type PreparedSource = Omit<ToolSource, 'lookup'>;

/** What turns a found answer into one of a tool. */
export type SourceInput = {
  readonly offered: OfferedTool;
  /** The row of the endpoint, with the price in force. */
  readonly endpoint: Route;
  readonly names: ReadonlySet<string>;
  /** Plan of the route the tool calls, and the tool's own argument beside it. */
  readonly plan: RoutePlan;
  readonly own: ChosenRoute['own'];
  readonly snapshot: Snapshot;
};

/** Makes sources, each once for all calls of one answer at one price and with the same own arguments; at once when it was made before. */
export function toolSources(): (found: Found, input: SourceInput) => ToolSource | Promise<ToolSource> {
  const known = new WeakMap<Servable, Map<string, PreparedSource>>();
  return ({ servable, lookup }, input) => {
    const form = Object.entries(input.own).join(' ');
    const forms = known.get(servable);
    const before = forms?.get(form);
    if (before?.servable.priceMicroUsd === input.endpoint.priceMicroUsd) return { ...before, lookup };
    return sourceOf(servable, input).then((made) => {
      known.set(servable, new Map(known.get(servable)).set(form, made));
      return { ...made, lookup };
    });
  };
}

async function sourceOf(servable: Servable, input: SourceInput): Promise<PreparedSource> {
  const { parts } = servable.body;
  if (parts === null) throw new RangeError(`${servable.route.id} has no data for a tool`);
  const { offered, names, plan, own } = input;
  const { subject } = parts.facts;
  const body = toolBody({
    offered,
    names,
    open: parts.bodies.body('identity').bytes,
    subject: subject === null ? null : subject.kind === 'issuer' ? subject.ticker : subject.product,
    sourceDate: servable.sourceDate,
    asked: { ...own, ...askedArguments(plan, servable.route) },
  });
  return soldSource({
    ...input,
    servable,
    body,
    facts: parts.facts,
    payloadSha256: parts.bodies.payloadSha256,
    serveTime: parts.serveTime,
    freshnessHours: await freshnessHours(input.snapshot, servable.sourceDate),
  });
}

/** Sells a body as the answer of a tool: the route of the endpoint, its price, its name in receipts (P10.3). */
export function soldSource({
  offered,
  endpoint,
  servable,
  body,
  facts,
  payloadSha256,
  ...rest
}: Pick<SourceInput, 'offered' | 'endpoint'> &
  Pick<ToolSource, 'serveTime' | 'body'> & {
    /** Window of the slice; null where it names none. */
    readonly freshnessHours: number | null;
    readonly servable: Servable;
    readonly facts: EnvelopedParts['facts'];
    readonly payloadSha256: string;
  }): PreparedSource {
  const { tool, schemaId } = offered;
  const priceMicroUsd = endpoint.priceMicroUsd;
  const description = `Tool ${tool.name}: ${tool.when}`;
  const route: Route = { ...endpoint, schemaId, description, params: offered.route?.params ?? [] };
  const provenance = {
    source_date: servable.sourceDate,
    computed_at_utc: servable.computedAt,
    artifact_version: servable.artifactVersion,
    evidence_hash: body.evidenceHash,
    freshness_window_hours: rest.freshnessHours,
    artifact_key: servable.artifactKey,
    payload_sha256: payloadSha256,
  };
  return {
    servable: { ...servable, route, routeUri: routeUri(route), priceMicroUsd, tool: tool.name },
    body,
    lead: resultLead(provenance, body.followUps),
    serveTime: rest.serveTime,
    caveats: [...facts.said.qualityFlags, ...facts.said.caveats],
    provenance,
    headers: sourceHeaders(servable),
  };
}

// what the slice says of itself; without it only the age is reported
async function freshnessHours(snapshot: Snapshot, sourceDate: string): Promise<number | null> {
  try {
    const release = await snapshot.ofDate(sourceDate);
    const found = await release?.read(readiness.stored.object.key({ slice: sourceDate }), (json) => {
      const hours = (json as { freshness_window_hours?: unknown } | null)?.freshness_window_hours;
      return typeof hours === 'number' ? { value: hours } : { fault: 'it names no freshness window' };
    });
    return found?.value ?? null;
  } catch {
    return null;
  }
}

/** Headers that name the artifact behind the answer of a tool (I4.24). */
export function sourceHeaders({
  artifactVersion,
  artifactSha256,
  sourceDate,
}: Pick<Servable, 'artifactVersion' | 'artifactSha256' | 'sourceDate'>): readonly string[] {
  return [
    'X-Artifact-Version',
    artifactVersion,
    'X-Artifact-Digest',
    digestField(artifactSha256),
    'X-Source-Date',
    sourceDate,
  ];
}

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
  const open = Buffer.from(canonicalJson(status as unknown as CanonicalValue).slice(0, -1));
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
