import { IssuerError } from '../../contract/issuerError.ts';
import type { ManifestEntry } from '../../contract/releaseFiles.ts';
import { type Route, routeUri } from '../../contract/route.ts';
import type { Release, StoredObject, StoredRows } from '../store/artifactStore.ts';
import { unavailable } from '../store/unavailable.ts';
import { envelopePrinter } from './envelope.ts';
import { type OpenBodies, openBodies } from './openBodies.ts';
import { entityTagValue, type ReadinessClock, type Servable } from './servable.ts';
import { servableHeaders } from './servableHeaders.ts';

/** The largest answer before compression (I8.5). */
const maxAnswerBytes = 8 * 1024 * 1024;

/** A stored object sent as it is. @throws IssuerError `artifact_unavailable` */
export function objectServable(o: {
  route: Route;
  release: Release;
  stored: StoredObject;
  ticker: string | null;
}): Servable {
  const { entry, bodies } = o.stored;
  return servable({
    ...o,
    bodies,
    entry,
    tag: entityTagValue({ sha256s: [entry.sha256], view: '', routeId: o.route.id }),
    cacheHit: true,
    payloadMode: 'compact',
    readinessClock: o.route.schemaId === 'readiness.v1' ? readinessClock(o.stored, o.release) : null,
  });
}

/**
 * A view: selected stored bytes and generated members, finished and hashed (P1.4).
 *
 * @param o.sources every artifact it draws on; the first is the one the answer names (I4.33)
 */
export function viewServable(o: {
  route: Route;
  release: Release;
  sources: readonly [ManifestEntry, ...ManifestEntry[]];
  open: Buffer;
  view: string;
  ticker: string | null;
  payloadMode?: string;
}): Servable {
  refuseLargerThanAnswer(o.open.length);
  const sha256s = o.sources.map((entry) => entry.sha256);
  return servable({
    ...o,
    bodies: openBodies({ open: o.open }),
    entry: o.sources[0],
    tag: entityTagValue({ sha256s, view: o.view, routeId: o.route.id }),
    cacheHit: false,
    payloadMode: o.payloadMode ?? 'compact',
    readinessClock: null,
  });
}

/** The two files of a row store, as a view names them. */
export function sourcesOf(rows: StoredRows): [ManifestEntry, ManifestEntry] {
  return [rows.entry, rows.indexEntry];
}

/** @throws IssuerError `invalid_parameter` for a page nobody may send (I8.5). */
export function refuseLargerThanAnswer(bytes: number): void {
  if (bytes <= maxAnswerBytes) return;
  throw new IssuerError({
    code: 'invalid_parameter',
    message: 'The page would be larger than 8 MiB.',
    hint: 'Ask for fewer rows.',
    details: { parameter: 'limit', reason: 'answer_too_large' },
  });
}

function servable(o: {
  route: Route;
  release: Release;
  bodies: OpenBodies;
  entry: ManifestEntry;
  tag: string;
  ticker: string | null;
  cacheHit: boolean;
  payloadMode: string;
  readinessClock: ReadinessClock | null;
}): Servable {
  const facts = {
    route: o.route,
    artifactKey: o.entry.key,
    artifactVersion: o.entry.version,
    artifactSha256: o.entry.sha256,
    sourceDate: o.release.sourceDate,
    computedAt: o.release.generatedAt,
    ticker: o.ticker,
    cacheHit: o.cacheHit,
    payloadMode: o.payloadMode,
    priceMicroUsd: o.route.priceMicroUsd,
  };
  const etag = `W/"${o.tag}"`;
  return {
    ...facts,
    bodies: o.bodies,
    etag,
    routeUri: routeUri(o.route),
    readinessClock: o.readinessClock,
    headers: servableHeaders({ ...facts, etag }),
    printEnvelope: envelopePrinter({ ...facts, payloadSha256: o.bodies.payloadSha256 }),
    repriced: new Map(),
    challenges: new WeakMap(),
  };
}

/** The same answer at another price: only what quotes the price is printed anew, and remembered beside the first. */
export function repriced(servable: Servable, priceMicroUsd: number): Servable {
  if (servable.priceMicroUsd === priceMicroUsd) return servable;
  const known = servable.repriced.get(priceMicroUsd);
  if (known !== undefined) return known;
  const facts = { ...servable, priceMicroUsd };
  const { payloadSha256 } = servable.bodies;
  const made: Servable = {
    ...facts,
    headers: servableHeaders(facts),
    printEnvelope: envelopePrinter({ ...facts, payloadSha256 }),
    repriced: new Map(),
    challenges: new WeakMap(),
  };
  servable.repriced.set(priceMicroUsd, made);
  return made;
}

// read once a release, never per request
function readinessClock(stored: StoredObject, release: Release): ReadinessClock {
  const json: unknown = JSON.parse(`${stored.bodies.body('identity').bytes.toString('utf8')}}`);
  const members = json as { latest_computed_at_utc?: unknown; freshness_window_hours?: unknown };
  const computedMs = Date.parse(String(members.latest_computed_at_utc));
  const hours = members.freshness_window_hours;
  if (Number.isNaN(computedMs) || typeof hours !== 'number') {
    throw unavailable(stored.entry.key, 'it does not say when it was computed');
  }
  return { computedMs, freshnessWindowHours: hours, sliceStatus: release.sliceStatus };
}
