import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { ServeTime, ServeTimeMembers } from '../../../data/contract/payloads/serveTime.ts';
import type { ManifestEntry } from '../../../data/contract/release/releaseFiles.ts';
import { priceAt } from '../../../data/contract/routes/priceChange.ts';
import { type Route, routeUri } from '../../../data/contract/routes/route.ts';
import {
  type EnvelopeFacts,
  type PayloadCaveats,
  payloadCaveats,
  type Subject,
} from '../../body/envelope.ts';
import { type OpenBodies, openBodies } from '../../body/openBodies.ts';
import { envelopedBody, opaqueBody, servableHeaders } from '../../body/servableBody.ts';
import type { Params } from '../../routing/readParams.ts';
import { unavailable } from '../../store/artifactFaults.ts';
import type { Release, StoredBytes, StoredObject } from '../../store/artifactStore.ts';
import { entityTagValue, type Servable, type StoredPrice, storedPrice } from './servable.ts';

/** The largest answer before compression (I8.5). */
const maxAnswerBytes = 8 * 1024 * 1024;

type About = { readonly route: Route; readonly release: Release; readonly subject: Subject | null };

/** A stored object sent as it is. @throws IssuerError `artifact_unavailable` */
export function objectServable({
  stored,
  serveTime,
  counted,
  ...about
}: About & { stored: StoredObject; serveTime: ServeTime | null; counted: readonly string[] }): Servable {
  const { entry, bodies } = stored;
  return enveloped({
    ...about,
    bodies,
    entry,
    tag: entityTagValue({ sha256s: [entry.sha256], view: '', routeId: about.route.id }),
    cacheHit: true,
    payloadMode: 'compact',
    price: storedPrice(about.route, stored),
    // the stored members are read once a release, never per request
    serveTime:
      serveTime === null ? null : readStored(stored, (json) => serveTime.prepare(json, about.release)),
    counts: counted.length === 0 ? null : countsOf(counted, stored),
  });
}

/**
 * A stored artifact of another media type than JSON, sent as it is (I4.30).
 *
 * @param fileName under which a browser keeps it; null without one
 */
export function bytesServable({
  stored,
  fileName,
  price,
  ...about
}: About & { stored: StoredBytes; fileName: string | null; price?: StoredPrice }): Servable {
  const { entry, bytes } = stored;
  const tag = entityTagValue({ sha256s: [entry.sha256], view: '', routeId: about.route.id });
  return finished({
    ...factsOf({ ...about, entry, price: price ?? storedPrice(about.route, stored) }),
    body: opaqueBody({ bytes, mediaType: entry.media_type, tag, fileName }),
    counts: null,
  });
}

/** A view: selected stored bytes and generated members, finished and hashed (P1.4). */
export type View = About & {
  /** Every artifact it draws on; the first is the one the answer names (I4.33). */
  readonly sources: readonly [ManifestEntry, ...ManifestEntry[]];
  readonly open: Buffer;
  /** The normalized view, part of the entity tag (I9.11). */
  readonly view: string;
  readonly payloadMode?: string;
  /** How long the lists are that its route counts. */
  readonly counts?: Servable['counts'];
  /** A page of rows, which speak for themselves: the envelope repeats nothing of them (I4.31b). */
  readonly isOfRows?: boolean;
  /** Only where a stored artifact states it. */
  readonly price?: StoredPrice;
  /** The stored object whose grades and notes the envelope repeats; the answer itself by default (I4.31b). */
  readonly cautioned?: Buffer;
  /** Hash over what the answer rests on, where it states one. */
  readonly evidence?: EnvelopeFacts['evidence'];
};

/** The servable of a view. @throws IssuerError `invalid_parameter` for a page larger than an answer may be (I8.5) */
export function viewServable({
  sources,
  open,
  view,
  payloadMode = 'compact',
  counts = null,
  isOfRows = false,
  price,
  cautioned,
  evidence,
  ...about
}: View): Servable {
  refuseLargerThanAnswer(
    open.length,
    about.route.params.map(({ name }) => name),
  );
  const sha256s = sources.map((entry) => entry.sha256);
  return enveloped({
    ...about,
    bodies: openBodies({ open }),
    entry: sources[0],
    tag: entityTagValue({ sha256s, view, routeId: about.route.id }),
    cacheHit: false,
    payloadMode,
    price: price ?? { microUsd: about.route.priceMicroUsd, components: null },
    ...(cautioned === undefined ? {} : { cautioned }),
    ...(evidence === undefined ? {} : { evidence }),
    serveTime: null,
    counts,
    isOfRows,
  });
}

/** The mode a view names: the one that was asked for, on routes that have several. */
export function payloadModeOf({ values }: Params): string {
  return String(values.get('mode') ?? 'compact');
}

/**
 * @param parameters names of those the route has: the hint says which of them makes the answer smaller
 * @throws IssuerError `invalid_parameter` for an answer larger than one may be (I8.5)
 */
export function refuseLargerThanAnswer(bytes: number, parameters: readonly string[]): void {
  if (bytes <= maxAnswerBytes) return;
  const parts = parameters.filter((name) => name.startsWith('include_'));
  const ways = [
    ...(parameters.includes('limit') ? ['ask for fewer rows'] : []),
    ...(parts.length === 0 ? [] : [`leave out ${parts.join(' and ')}`]),
    ...(parameters.includes('output_mode') ? ['ask for output_mode compact'] : []),
  ];
  const hint = ways.length === 0 ? 'there is no smaller answer of this route' : ways.join(', or ');
  throw new IssuerError({
    code: 'invalid_parameter',
    message: 'The answer would be larger than 8 MiB.',
    hint: `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`,
    details: {
      parameter: parameters.find((name) => name === 'limit') ?? parts[0] ?? 'request',
      reason: 'answer_too_large',
    },
  });
}

/** The same answer at another price: only what quotes the price is printed again, and stored beside the first. */
export function repriced(servable: Servable, priceMicroUsd: number): Servable {
  if (servable.priceMicroUsd === priceMicroUsd) return servable;
  const known = servable.repriced.get(priceMicroUsd);
  if (known !== undefined) return known;
  const made = finished({ ...servable, priceMicroUsd, body: servable.body.at(priceMicroUsd) });
  servable.repriced.set(priceMicroUsd, made);
  return made;
}

/** A servable at the price of an instant. */
type Priced = {
  readonly servable: Servable;
  /** The price before it, while payments of it are still accepted; null otherwise (P1.6). */
  readonly formerMicroUsd: number | null;
};

/** Prices a servable for one request: the end of the look-up stage, before access is decided (P1.5). */
export function priceInForce(servable: Servable, nowMs: number): Priced {
  if (servable.route.priceChange === undefined) return { servable, formerMicroUsd: null };
  const { microUsd, formerMicroUsd } = priceAt(servable.route, nowMs);
  return { servable: repriced(servable, microUsd), formerMicroUsd };
}

type EnvelopedParts = About & {
  readonly bodies: OpenBodies;
  readonly entry: ManifestEntry;
  readonly tag: string;
  readonly cacheHit: boolean;
  readonly payloadMode: string;
  readonly price: StoredPrice;
  readonly serveTime: ServeTimeMembers | null;
  readonly counts: Servable['counts'];
  readonly isOfRows?: boolean;
} & Pick<View, 'cautioned' | 'evidence'>;

function enveloped({ bodies, tag, cacheHit, payloadMode, serveTime, ...rest }: EnvelopedParts): Servable {
  const { isOfRows = false, cautioned, evidence, counts, ...parts } = rest;
  const open = isOfRows || parts.subject === null ? null : (cautioned ?? bodies.body('identity').bytes);
  let said: PayloadCaveats;
  try {
    said = payloadCaveats({ open, sliceStatus: parts.release.sliceStatus });
  } catch (cause) {
    throw unavailable(parts.entry.key, 'it is no JSON object', cause);
  }
  const known = factsOf(parts);
  const facts = {
    ...known,
    cacheHit,
    payloadMode,
    said,
    ...(evidence === undefined ? {} : { evidence }),
  };
  return finished({ ...known, counts, body: envelopedBody({ bodies, tag, facts, serveTime }) });
}

function finished(facts: Omit<Servable, 'headers' | 'repriced' | 'challenges'>): Servable {
  return {
    ...facts,
    headers: servableHeaders(facts),
    repriced: new Map(),
    challenges: new WeakMap(),
  };
}

function factsOf({
  route,
  release,
  subject,
  entry,
  price,
}: About & { readonly entry: ManifestEntry; readonly price: StoredPrice }) {
  return {
    route,
    routeUri: routeUri(route),
    tool: null,
    subject,
    priceMicroUsd: price.microUsd,
    priceComponents: price.components,
    artifactKey: entry.key,
    artifactVersion: entry.version,
    artifactSha256: entry.sha256,
    sourceDate: release.sourceDate,
    computedAt: release.generatedAt,
  };
}

/** How long the lists are that a stored object has of these. */
export function countsOf(counted: readonly string[], stored: StoredObject): Record<string, number> {
  return readStored(stored, (json) =>
    Object.fromEntries(
      // an optional list that the answer does not have is not counted
      counted.flatMap((name) => {
        const list = (json as Record<string, unknown>)[name];
        return Array.isArray(list) ? [[name, list.length]] : [];
      }),
    ),
  );
}

/** What a stored object says. @throws IssuerError `artifact_unavailable` where it does not say it */
export function readStored<T>({ bodies, entry }: StoredObject, read: (json: unknown) => T): T {
  try {
    return read(JSON.parse(`${bodies.body('identity').bytes.toString('utf8')}}`));
  } catch (cause) {
    throw unavailable(entry.key, 'it does not say what its answer shows', cause);
  }
}
