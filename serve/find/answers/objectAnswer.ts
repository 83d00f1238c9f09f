import type { AnySingle } from '../../../data/contract/payloads/stored.ts';
import type { ObjectAnswer } from '../../../data/contract/routes/answer.ts';
import { assembleObject, type MemberValue } from '../../../data/store/bytes/assembleObject.ts';
import type { Subject } from '../../body/envelope.ts';
import { storedMembers } from '../../body/openBodies.ts';
import { missError } from '../../problem/missError.ts';
import { unavailable } from '../../store/artifactFaults.ts';
import type { Release } from '../../store/artifactStore.ts';
import { namedIssuer } from '../asked/askedIssuer.ts';
import { namedProduct, registryMissing } from '../asked/namedProduct.ts';
import { currentRelease, nearestNights } from '../asked/selectRelease.ts';
import { issuerMiss, issuerSlice } from '../rows/issuerSlice.ts';
import { newestRows } from '../rows/storedHistory.ts';
import { askedRelease, notHeld } from '../rows/storedRows.ts';
import { artifactKey, type FindInput, type Found, type KeyParts } from '../servable/findInput.ts';
import type { Servable } from '../servable/servable.ts';
import { bytesServable, countsOf, objectServable, viewServable } from '../servable/servableOf.ts';

/** Where the answer of one subject lies, and what is said where it does not. */
type Place = {
  readonly release: Release;
  readonly parts: KeyParts;
  readonly subject: Subject | null;
  readonly lookup: Found['lookup'];
  miss(key: string): Promise<Error>;
};

/**
 * A stored artifact sent as it is: of the slice that `source_date`, `period` or neither selects (I4.15, I4.16), in the
 * representation that `format` names. In a backfilled release it is the row of the subject (I4.36).
 */
export async function findObject(input: FindInput, answer: ObjectAnswer): Promise<Found> {
  const { route, params, cache } = input;
  const stored = answer.formats[String(params.values.get('format'))] ?? answer.stored;
  const place =
    stored.subject === 'none'
      ? await slicePlace(input, answer, stored)
      : stored.subject === 'issuer'
        ? await issuerPlace(input, answer)
        : await productPlace(input, answer);
  const { release, lookup } = place;
  const key = artifactKey(stored, params, { ...place.parts, slice: release.sourceDate });
  const cacheKey = `${release.name} ${route.id} ${key}`;
  const hot = cache.get(cacheKey);
  if (hot !== undefined) return { servable: hot, lookup, cacheKey };
  const servable =
    (await singleAt(input, { ...answer, stored }, { place, key })) ?? (await rowOf(input, answer, place));
  if (servable === null) throw await place.miss(key);
  // room for the codings a client may still ask for
  cache.set(cacheKey, servable, servable.body.length * 3);
  return { servable, lookup, cacheKey };
}

async function slicePlace(input: FindInput, answer: ObjectAnswer, stored: AnySingle): Promise<Place> {
  const release = await askedRelease(input);
  const { miss } = answer;
  const missOf = async (key: string) => {
    const nearestSourceDates = await nearestNights(input.snapshot, release.sourceDate, (other) =>
      other.has(artifactKey(stored, input.params, { slice: other.sourceDate })),
    );
    const unpublished = notPublished(input, { release, answer, nearestSourceDates });
    if (unpublished !== null) return unpublished;
    if (miss === null || release.rowStoresOnly) return notHeld(input, release, key);
    const { reasonCode, sentence, hint } = miss;
    return missError(input.route, {
      reasonCode,
      message: `The release of ${release.sourceDate} ${sentence}.`,
      hint,
      nearestSourceDates,
    });
  };
  return { release, parts: {}, subject: null, lookup: null, miss: missOf };
}

/** The miss of a slice that lacks what the answer is made from (I4.R28.6); null where it has all of it. */
function notPublished(
  { route, params }: FindInput,
  {
    release,
    answer: { sources, unsourced },
    nearestSourceDates,
  }: {
    release: Release;
    answer: ObjectAnswer;
    nearestSourceDates: Awaited<ReturnType<typeof nearestNights>>;
  },
): Error | null {
  const missing = Object.entries(sources)
    .filter(([, stored]) => !release.has(artifactKey(stored, params, { slice: release.sourceDate })))
    .map(([name]) => name);
  if (missing.length === 0) return null;
  return missError(route, {
    reasonCode: unsourced,
    message: `The slice of ${release.sourceDate} lacks what this answer is made from: ${missing.join(', ')}.`,
    hint: 'Ask for the current slice, or for another date.',
    missingSources: missing,
    nearestSourceDates,
  });
}

async function issuerPlace(input: FindInput, answer: ObjectAnswer): Promise<Place> {
  const current = await currentRelease(input.snapshot);
  const resolved = await namedIssuer(input, current);
  const release = await issuerSlice(input, { current, resolved });
  const { issuer, ticker, lookup } = resolved;
  return {
    release,
    parts: { cik: issuer.cik },
    subject: { kind: 'issuer', ticker },
    lookup,
    miss: (key) => issuerMiss(input, { release, resolved, answer, key }),
  };
}

async function productPlace(input: FindInput, answer: ObjectAnswer): Promise<Place> {
  const release = await askedRelease(input);
  const asked = String(input.params.values.get('product'));
  const { product: known, lookup } = await namedProduct(input, release, asked);
  const { product } = known;
  return {
    release,
    parts: { product },
    subject: { kind: 'product', product },
    lookup,
    miss: async (key) =>
      known.has_registry ? stateMiss(input, { answer, product, key }) : registryMissing(input, product),
  };
}

function stateMiss(
  { route }: FindInput,
  { answer: { miss }, product, key }: { answer: ObjectAnswer; product: string; key: string },
): Error {
  if (miss === null) return unavailable(key, 'the release does not list it');
  const { reasonCode, sentence, hint } = miss;
  return missError(route, { reasonCode, message: `${product} ${sentence}.`, hint, product });
}

async function singleAt(
  { route }: FindInput,
  { stored, serveTime, counted, newest, picked }: ObjectAnswer,
  { place: { release, subject, parts }, key }: { place: Place; key: string },
): Promise<Servable | null> {
  if (stored.form === 'bytes') {
    const found = await release.bytes(key);
    if (found === null) return null;
    const fileName = stored.fileName?.({ ...parts, slice: release.sourceDate } as never) ?? null;
    return bytesServable({ route, release, stored: found, subject, fileName });
  }
  const found = await release.object(key);
  if (found === null) return null;
  const about = { route, release, subject };
  if (picked !== null) {
    const members = [...storedMembers(found.bodies)].filter(([name]) => picked.includes(name));
    const open = assembleObject(new Map(members));
    return viewServable({ ...about, sources: [found.entry], open, view: '' });
  }
  if (newest === null) return objectServable({ ...about, stored: found, serveTime, counted });
  const added = await newestRows(release, newest, String(parts['cik'] ?? parts['product']));
  const members = new Map<string, MemberValue>(storedMembers(found.bodies)).set(newest.member, added.rows);
  const open = assembleObject(members);
  const sources = [found.entry, ...added.entries] as const;
  const counts = { [newest.member]: added.rows.length, ...countsOf(counted, found) };
  return viewServable({ ...about, sources, open, view: key, counts });
}

/** The same bytes a single file would hold, from the row store of a backfilled release (I4.36). */
async function rowOf(
  { route, params }: FindInput,
  answer: ObjectAnswer,
  { release, parts, subject }: Place,
): Promise<Servable | null> {
  const { cik } = parts;
  if (answer.rows === null || cik === undefined) return null;
  const key = artifactKey(answer.rows, params, { ...parts, slice: release.sourceDate });
  const stored = await release.rows(answer.rows, key);
  const row = stored?.list.rowOfCik(cik) ?? -1;
  if (stored === null || row < 0) return null;
  const { list, sources } = stored;
  return viewServable({ route, release, sources, open: list.line(row).subarray(0, -1), view: cik, subject });
}
