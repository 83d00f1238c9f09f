import type { ListAnswer } from '../../contract/routes/answer.ts';
import type { Route } from '../../contract/routes/route.ts';
import { closed } from '../body/assembleObject.ts';
import { artifactKey } from '../find/artifactKey.ts';
import { listBytes } from '../find/listAnswer.ts';
import { entityTagValue } from '../find/servable.ts';
import { sourcesOf } from '../find/servableOf.ts';
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
}: {
  route: Route;
  answer: ListAnswer;
  params: Params;
  release: Release;
}): Promise<FreeDocument> {
  const slice = release.sourceDate;
  const key = artifactKey(answer.rows, params, { slice });
  const rows = await release.rows(key);
  if (rows === null) throw unavailable(key, 'the release does not list it');
  return freeDocument({
    bytes: closed(listBytes({ answer, rows, params, slice })),
    tag: entityTagValue({
      sha256s: sourcesOf(rows).map((entry) => entry.sha256),
      view: normalizedQuery(params),
      routeId: route.id,
    }),
  });
}
