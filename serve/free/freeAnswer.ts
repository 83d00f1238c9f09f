import type { Deployment } from '../../data/contract/emit/deployment.ts';
import type { Ready } from '../../data/contract/emit/operations.ts';
import { emitSecurityText } from '../../data/contract/emit/plainDoors.ts';
import { emitServiceIndex, type ServiceIndex } from '../../data/contract/emit/serviceIndex.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type LandingFigures, landing } from '../../data/contract/payloads/universe/landing.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { ageMinutes, instant, sliceAgeDays } from '../../data/contract/values/instant.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';
import { versions } from '../../data/contract/values/versions.ts';
import type { Presented } from '../access/accessDecision.ts';
import { type ContentCoding, strongTag, worthCoding } from '../body/openBodies.ts';
import type { Incoming, Outgoing } from '../exchange.ts';
import { currentRelease } from '../find/asked/selectRelease.ts';
import { matchesTag } from '../find/servable/servable.ts';
import { negotiateCoding, prefersHtml } from '../http/contentNegotiation.ts';
import type { RatePolicy } from '../http/rateLimit.ts';
import { nearestLabels } from '../identity/nearestLabels.ts';
import { missError } from '../problem/missError.ts';
import type { Params } from '../routing/readParams.ts';
import type { ArtifactReader, Release, Snapshot } from '../store/artifactStore.ts';
import { committedSample, committedSamplePage } from '../store/committedSample.ts';
import { type FreeDocument, freeDocument, type LandingNight, text } from './discoveryDocuments.ts';
import { type DocumentDeps, documentOf, rememberedDocument } from './documentOf.ts';

/** What the free routes need of the server. */
export type FreeDeps = DocumentDeps & {
  ready(): Promise<Ready>;
  readonly deployment: Deployment;
  /** Whom to tell of a weakness; without a contact there is no such route. */
  readonly security: { readonly contact: string };
  /** Grants and card checkout. */
  readonly live: LiveRoutes;
  readonly startedMs: number;
  /** The route table. */
  readonly routes: readonly Route[];
};

export type FreeCall = Pick<LiveCall, 'route' | 'params' | 'head' | 'nowMs'> & {
  readonly requestId: string;
  readonly headers: readonly string[];
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** The call as live routes see it. */
  readonly live: LiveCall;
};

const codings: readonly Exclude<ContentCoding, 'identity'>[] = ['br', 'gzip', 'zstd'];

/** Answers a free route in the way its row says; nothing here is charged or needs a credential (I4.18). */
export async function freeAnswer(call: FreeCall, deps: FreeDeps): Promise<Outgoing> {
  const { answer } = call.route;
  switch (answer?.kind) {
    case 'health':
      return liveJson(call, 200, {
        status: 'ok',
        service: versions.service,
        version: versions.api,
        time_utc: instant(call.nowMs),
        uptime_seconds: Math.max(0, Math.floor((call.nowMs - deps.startedMs) / 1000)),
      });
    case 'ready': {
      const body = await deps.ready();
      return liveJson(call, body.ready ? 200 : 503, body);
    }
    case 'index':
      if (prefersHtml(call.accept)) return document(call, await landingDocument(call.nowMs, deps), byAccept);
      return liveJson(call, 200, await serviceIndexOf(call, deps), byAccept);
    case 'sample':
      return document(call, await sample(call, deps), byAccept);
    case 'manifest':
      return document(call, await manifest(call, deps));
    case 'security':
      return document(call, text(emitSecurityText(deps.deployment, { ...deps.security, nowMs: call.nowMs })));
    case 'grants':
    case 'checkout': {
      const live = deps.live.get(call.route.id);
      if (live === undefined) throw withoutAnswer(call.route);
      const { status, body } = await live(call.live);
      return liveJson(call, status, body);
    }
    case 'list':
    case 'document': {
      const found = await documentOf(call, deps);
      if (found === null) throw withoutAnswer(call.route);
      return document(call, found);
    }
    default:
      throw withoutAnswer(call.route);
  }
}

function withoutAnswer({ id }: Route): IssuerError {
  return new IssuerError({ code: 'internal', message: `Route ${id} has no answer.`, hint: '' });
}

async function serviceIndexOf({ nowMs }: FreeCall, deps: FreeDeps): Promise<ServiceIndex> {
  const release = await (await deps.snapshot()).current();
  return emitServiceIndex({
    routes: deps.routes,
    sourceDate: release?.sourceDate ?? null,
    ageMinutes: release === null ? null : ageMinutes(release.generatedAt, nowMs),
  });
}

async function sample({ route, params, accept }: FreeCall, deps: FreeDeps): Promise<FreeDocument> {
  const operationId = String(params.values.get('operation_id'));
  const asPage = prefersHtml(accept);
  return rememberedDocument(deps, `sample ${operationId}${asPage ? ' page' : ''}`, () =>
    sampleDocument({ route, routes: deps.routes, operationId, asPage }),
  );
}

async function manifest(call: FreeCall, deps: FreeDeps): Promise<FreeDocument> {
  const snapshot = await deps.snapshot();
  const asked = call.params.values.get('version');
  const release =
    typeof asked === 'string' ? await releaseAsked(snapshot, asked) : await currentRelease(snapshot);
  if (release === null) {
    throw missError(call.route, {
      reasonCode: 'manifest_version_unknown',
      message: 'No promoted release has this version.',
      hint: 'Leave version out for the current release, or give a source date.',
    });
  }
  return rememberedDocument(deps, `${release.name} manifest`, async () =>
    freeDocument({ bytes: release.manifestBytes }),
  );
}

async function releaseAsked(snapshot: Snapshot, asked: string): Promise<Release | null> {
  return isCivilDate(asked) ? snapshot.ofDate(asked) : snapshot.named(asked);
}

// what an answer varies by
const byCoding = 'Accept-Encoding';
const byAccept = `Accept, ${byCoding}`;

function document(call: FreeCall, free: FreeDocument, vary = byCoding): Outgoing {
  const coding = worthCoding(free.bytes.length) ? negotiateCoding(call.acceptEncoding, codings) : 'identity';
  const tag = strongTag(free.tag, coding);
  const headers = [
    ...call.headers,
    'Cache-Control',
    'public, max-age=300',
    'Vary',
    vary,
    'ETag',
    tag,
    'Accept-Ranges',
    'none',
  ];
  if (matchesTag(call.ifNoneMatch, tag)) return outgoing(call, 304, headers, []);
  headers.push('Content-Type', free.contentType);
  if (free.policy !== null) headers.push('Content-Security-Policy', free.policy);
  if (coding !== 'identity') headers.push('Content-Encoding', coding);
  return outgoing(call, 200, headers, call.head ? [] : [free.coded(coding)]);
}

function liveJson(call: FreeCall, status: number, body: unknown, vary = byCoding): Outgoing {
  const headers = [
    ...call.headers,
    'Cache-Control',
    'no-store',
    'Vary',
    vary,
    'Content-Type',
    'application/json; charset=utf-8',
  ];
  return outgoing(call, status, headers, call.head ? [] : [Buffer.from(JSON.stringify(body))]);
}

function outgoing(call: FreeCall, status: number, headers: string[], body: readonly Uint8Array[]): Outgoing {
  const record = {
    requestId: call.requestId,
    route: call.route.id,
    code: null,
    receiptId: null,
    apiKeyId: null,
  };
  return { status, headers, body, record, done: () => {} };
}

/**
 * The landing page over the figures of the current release, made once for each release, day and change of price.
 *
 * @throws IssuerError `artifact_unavailable`
 */
async function landingDocument(nowMs: number, deps: DocumentDeps): Promise<FreeDocument> {
  const release = await (await deps.snapshot()).current();
  const discovery = deps.discovery(nowMs);
  const ageDays = release === null ? null : sliceAgeDays(release.sourceDate, nowMs);
  const key = `landing ${release?.name ?? ''} ${ageDays} ${discovery.hashes['pricing']}`;
  return rememberedDocument(deps, key, async () => discovery.landing(await nightOf(release, ageDays)));
}

async function nightOf(release: Release | null, ageDays: number | null): Promise<LandingNight> {
  if (release === null) return { sourceDate: null, ageDays: null, figures: null };
  const { sourceDate } = release;
  const stored = await release.read(landing.key({ slice: sourceDate }), readFigures);
  return { sourceDate, ageDays, figures: stored?.value ?? null };
}

const readFigures: ArtifactReader<LandingFigures> = (json) => {
  const { success, data } = landing.schema.safeParse(json);
  return success ? { value: data } : { fault: 'it holds no figures of a landing page' };
};

const maxDistance = 6;

/**
 * The committed sample of a priced live operation (I4.F20.1); a mirror has that of its twin. As a page it is the one
 * beside it, else its `html` member, with a line in its header that says so; a sample without either stays JSON.
 *
 * @throws IssuerError `not_found` for another operation
 */
export async function sampleDocument({
  route,
  routes,
  operationId,
  asPage,
}: {
  /** The route that is asked. */
  route: Route;
  routes: readonly Route[];
  operationId: string;
  asPage: boolean;
}): Promise<FreeDocument> {
  // tools answer with the payloads of other routes, whose samples these are
  const sold = routes.filter(
    ({ status, priceMicroUsd, family }) => status === 'live' && priceMicroUsd > 0 && family !== 'mcp',
  );
  const asked = sold.find((one) => one.operationId === operationId);
  const twin = asked?.mirrorOf === null ? asked : sold.find(({ id }) => id === asked?.mirrorOf);
  if (twin === undefined) {
    const labels = sold.filter(({ mirrorOf }) => mirrorOf === null).map((one) => one.operationId);
    throw missError(route, {
      reasonCode: 'sample_unknown',
      message: `No live paid operation is called ${operationId}.`,
      hint: 'Take an operationId of a paid route from /openapi.json or /v1/pricing.',
      suggestions: nearestLabels({ asked: operationId, labels, maxDistance }),
    });
  }
  const bytes = await committedSample(twin.operationId);
  const page = asPage ? ((await committedSamplePage(twin.operationId)) ?? memberPage(bytes)) : null;
  return page === null
    ? freeDocument({ bytes })
    : freeDocument({
        bytes: Buffer.from(page.replace('<header>', `<header>\n${notice}`)),
        contentType: 'text/html; charset=utf-8',
      });
}

const notice = '<p class="quiet">Sample: what this address answered over the fixture release.</p>';

function memberPage(sample: Uint8Array): string | null {
  const { html } = JSON.parse(Buffer.from(sample).toString('utf8')) as { html?: unknown };
  return typeof html === 'string' ? html : null;
}

/** One call of a free route that is answered again each time: grants and card checkout. */
export type LiveCall = {
  readonly route: Route;
  readonly params: Params;
  readonly request: Incoming;
  readonly presented: Presented;
  readonly head: boolean;
  readonly nowMs: number;
  /** Takes from a further bucket (I8.3). @throws IssuerError `rate_limited` */
  limit(policy: RatePolicy, holder: string): void;
};

/** Answers a live route; every fault is thrown as an IssuerError. */
export type LiveRoute = (call: LiveCall) => Promise<{ readonly status: 200 | 201; readonly body: object }>;

/** Live routes by route id. */
export type LiveRoutes = ReadonlyMap<string, LiveRoute>;

/** The only value of a header that is no credential of paid routes; null when it is absent. */
export function headerValue(request: Incoming, name: string): string | null {
  const lines = request.headers[name];
  const first = lines?.[0];
  if (lines === undefined || first === undefined) return null;
  if (lines.every((line) => line === first)) return first;
  throw new IssuerError({
    code: 'conflicting_credentials',
    message: `${name} carries different values.`,
    hint: 'Send it once.',
    details: { headers: [name] },
  });
}
