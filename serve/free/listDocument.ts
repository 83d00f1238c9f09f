import type { WithdrawnSlice } from '../../data/contract/release/releaseFiles.ts';
import type { ListAnswer } from '../../data/contract/routes/answer.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { closed } from '../../data/store/bytes/assembleObject.ts';
import { listBytes } from '../find/answers/listAnswer.ts';
import { artifactKey } from '../find/servable/artifactKey.ts';
import { entityTagValue } from '../find/servable/servable.ts';
import { sourcesOf } from '../find/servable/servableOf.ts';
import { normalizedQuery, type Params } from '../routing/readParams.ts';
import type { Release } from '../store/artifactStore.ts';
import { unavailable } from '../store/unavailable.ts';
import { type FreeDocument, freeDocument } from './freeDocument.ts';

/** A page of a stored list as a free document (I4.F08). @throws IssuerError `artifact_unavailable` */
export async function listDocument({
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
  const rows = await release.rows(key);
  if (rows === null) throw unavailable(key, 'the release does not list it');
  const open = listBytes({ answer, rows, params, slice });
  // after every other member by name
  const last = withdrawn.length === 0 ? '' : `,"withdrawn_slices":${canonicalJson([...withdrawn])}`;
  return freeDocument({
    bytes: closed(Buffer.concat([open, Buffer.from(last)])),
    tag: entityTagValue({
      sha256s: sourcesOf(rows).map((entry) => entry.sha256),
      view: `${normalizedQuery(params)}${last}`,
      routeId: route.id,
    }),
  });
}
