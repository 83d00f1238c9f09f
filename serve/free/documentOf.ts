import type { WithdrawnSlice } from '../../data/contract/release/releaseFiles.ts';
import type { ListAnswer } from '../../data/contract/routes/answer.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { closed } from '../../data/store/bytes/assembleObject.ts';
import { listBytes } from '../find/answers/listAnswer.ts';
import { currentRelease } from '../find/asked/selectRelease.ts';
import { artifactKey } from '../find/servable/findInput.ts';
import { entityTagValue } from '../find/servable/servable.ts';
import { normalizedQuery, type Params } from '../routing/readParams.ts';
import { unavailable } from '../store/artifactFaults.ts';
import type { Release, Snapshot } from '../store/artifactStore.ts';
import type { ByteCache } from '../store/byteCache.ts';
import { type Discovery, type FreeDocument, freeDocument } from './discoveryDocuments.ts';

/** What a document is made from. */
export type DocumentDeps = {
  snapshot(): Promise<Snapshot>;
  discovery(nowMs: number): Discovery;
  readonly documents: ByteCache<FreeDocument>;
};

/** Which document of which route is asked for. */
export type AskedDocument = { readonly route: Route; readonly params: Params; readonly nowMs: number };

/**
 * The document of a free route that has one of its own or is a page of a list; null for any other.
 *
 * @throws IssuerError `artifact_unavailable`, `not_ready`, or `invalid_parameter` for a part of no live route
 */
export async function documentOf(
  { route, params, nowMs }: AskedDocument,
  deps: DocumentDeps,
): Promise<FreeDocument | null> {
  const { answer } = route;
  if (answer?.kind === 'list') return listed({ route, params, answer }, deps);
  if (answer?.kind !== 'document') return null;
  const { documents, part } = deps.discovery(nowMs);
  for (const by of ['route', 'tool'] as const) {
    const name = params.values.get(by);
    if (typeof name === 'string') return part(answer.document, { by, name });
  }
  const withExamples = params.values.get('examples') === true;
  return (withExamples ? part(answer.document, null) : documents.get(answer.document)) ?? null;
}

/** A document that is made once and cached. */
export async function rememberedDocument(
  { documents }: Pick<DocumentDeps, 'documents'>,
  key: string,
  make: () => Promise<FreeDocument>,
): Promise<FreeDocument> {
  const known = documents.get(key);
  if (known !== undefined) return known;
  const made = await make();
  // room for the codings a client may still ask for
  documents.set(key, made, made.bytes.length * 2 + 1024);
  return made;
}

async function listed(
  { route, params, answer }: { route: Route; params: Params; answer: ListAnswer },
  deps: DocumentDeps,
): Promise<FreeDocument> {
  const snapshot = await deps.snapshot();
  const release = await currentRelease(snapshot);
  const { withdrawn } = snapshot;
  const marks = withdrawn.map(({ release: name, withdrawn_at_utc }) => `${name}@${withdrawn_at_utc}`);
  const key = [release.name, route.id, normalizedQuery(params), ...marks].join(' ');
  return rememberedDocument(deps, key, () => listDocument({ route, answer, params, release, withdrawn }));
}

/** A page of a stored list as a free document (I4.F08). @throws IssuerError `artifact_unavailable` */
async function listDocument({
  route,
  answer,
  params,
  release,
  withdrawn,
}: {
  route: Route;
  answer: ListAnswer;
  params: Params;
  release: Release;
  /** Dates that answer no more; shown with every list of what there is (I3.28). */
  withdrawn: readonly WithdrawnSlice[];
}): Promise<FreeDocument> {
  const slice = release.sourceDate;
  const key = artifactKey(answer.rows, params, { slice });
  const stored = await release.rows(answer.rows, key);
  if (stored === null) throw unavailable(key, 'the release does not list it');
  const open = listBytes({ answer, list: stored.list, params, slice });
  // after every other member by name
  const last = withdrawn.length === 0 ? '' : `,"withdrawn_slices":${canonicalJson([...withdrawn])}`;
  return freeDocument({
    bytes: closed(Buffer.concat([open, Buffer.from(last)])),
    tag: entityTagValue({
      sha256s: stored.sources.map((entry) => entry.sha256),
      view: `${normalizedQuery(params)}${last}`,
      routeId: route.id,
    }),
  });
}
