import type { Route } from '../../contract/routes/route.ts';
import { nearestLabels } from '../identity/nearestLabels.ts';
import { missError } from '../problem/missError.ts';
import { committedSample } from '../store/committedSample.ts';
import { type FreeDocument, freeDocument } from './freeDocument.ts';

const maxDistance = 6;

/**
 * The committed sample of a priced live operation (I4.F20.1); a mirror has that of its twin.
 *
 * @throws IssuerError `not_found` for another operation
 */
export async function sampleDocument({
  route,
  routes,
  operationId,
}: {
  /** The route that is asked. */
  route: Route;
  routes: readonly Route[];
  operationId: string;
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
  return freeDocument({ bytes: await committedSample(twin.operationId) });
}
