import { IssuerError } from '../../contract/issuerError.ts';
import type { Ready } from '../../contract/operations.ts';
import { isCivilDate } from '../../contract/primitives.ts';
import type { Route } from '../../contract/route.ts';
import { versions } from '../../contract/versions.ts';
import { companiesDocument } from '../answer/companies.ts';
import {
  type FreeCoding,
  type FreeDocument,
  freeDocument,
  freeTag,
  worthCoding,
} from '../answer/freeDocument.ts';
import { missError } from '../answer/missError.ts';
import { currentRelease } from '../answer/selectRelease.ts';
import { matchesTag } from '../answer/servable.ts';
import type { Outgoing } from '../exchange.ts';
import { negotiateCoding } from '../http/negotiateCoding.ts';
import { normalizedQuery, type Params } from '../routing/readParams.ts';
import type { Release, Snapshot } from '../store/artifactStore.ts';
import type { ByteCache } from '../store/byteCache.ts';
import type { LiveCall, LiveRoutes } from './liveRoute.ts';

/** What the free routes need of the server. */
export type FreeDeps = {
  snapshot(): Snapshot | Promise<Snapshot>;
  /** Discovery documents by route id as they read at an instant, emitted once at start (I4.39). */
  discovery(nowMs: number): ReadonlyMap<string, FreeDocument>;
  readonly documents: ByteCache<FreeDocument>;
  ready(): Promise<Ready>;
  /** Grants and card checkout. */
  readonly live: LiveRoutes;
  readonly startedMs: number;
};

export type FreeCall = {
  readonly route: Route;
  readonly params: Params;
  readonly head: boolean;
  readonly requestId: string;
  readonly headers: readonly string[];
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly nowMs: number;
  /** The call as live routes see it. */
  readonly live: LiveCall;
};

const codings: readonly Exclude<FreeCoding, 'identity'>[] = ['br', 'gzip', 'zstd'];

/** Answers a free route; nothing here is charged or needs a credential (I4.18). */
export async function freeAnswer(call: FreeCall, deps: FreeDeps): Promise<Outgoing> {
  switch (call.route.id) {
    case 'F09':
      return liveJson(call, 200, {
        status: 'ok',
        service: versions.service,
        version: versions.api,
        time_utc: `${new Date(call.nowMs).toISOString().slice(0, 19)}Z`,
        uptime_seconds: Math.max(0, Math.floor((call.nowMs - deps.startedMs) / 1000)),
      });
    case 'F10': {
      const body = await deps.ready();
      return liveJson(call, body.ready ? 200 : 503, body);
    }
    case 'F08':
      return document(call, await companies(call, deps));
    case 'F13':
      return document(call, await manifest(call, deps));
    default: {
      const live = deps.live.get(call.route.id);
      if (live !== undefined) {
        const { status, body } = await live(call.live);
        return liveJson(call, status, body);
      }
      const found = deps.discovery(call.nowMs).get(call.route.id);
      if (found === undefined) {
        throw new IssuerError({
          code: 'internal',
          message: `Route ${call.route.id} has no document.`,
          hint: '',
        });
      }
      return document(call, found);
    }
  }
}

async function companies(call: FreeCall, deps: FreeDeps): Promise<FreeDocument> {
  const release = await currentRelease(await deps.snapshot());
  const key = `${release.name} companies ${normalizedQuery(call.params)}`;
  return remembered(deps, key, () => companiesDocument({ route: call.route, params: call.params, release }));
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
  return remembered(deps, `${release.name} manifest`, async () =>
    freeDocument({ bytes: release.manifestBytes }),
  );
}

async function releaseAsked(snapshot: Snapshot, asked: string): Promise<Release | null> {
  return isCivilDate(asked) ? snapshot.ofDate(asked) : snapshot.named(asked);
}

async function remembered(
  deps: FreeDeps,
  key: string,
  make: () => Promise<FreeDocument>,
): Promise<FreeDocument> {
  const known = deps.documents.get(key);
  if (known !== undefined) return known;
  const made = await make();
  // room for the codings a client may still ask for
  deps.documents.set(key, made, made.bytes.length * 2 + 1024);
  return made;
}

function document(call: FreeCall, free: FreeDocument): Outgoing {
  const coding = worthCoding(free.bytes.length) ? negotiateCoding(call.acceptEncoding, codings) : 'identity';
  const tag = freeTag(free, coding);
  const headers = [
    ...call.headers,
    'Cache-Control',
    'public, max-age=300',
    'Vary',
    'Accept-Encoding',
    'ETag',
    tag,
    'Accept-Ranges',
    'none',
  ];
  if (matchesTag(call.ifNoneMatch, tag)) return outgoing(call, 304, headers, []);
  headers.push('Content-Type', free.contentType);
  if (coding !== 'identity') headers.push('Content-Encoding', coding);
  return outgoing(call, 200, headers, call.head ? [] : [free.coded(coding)]);
}

function liveJson(call: FreeCall, status: number, body: unknown): Outgoing {
  const headers = [
    ...call.headers,
    'Cache-Control',
    'no-store',
    'Vary',
    'Accept-Encoding',
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
