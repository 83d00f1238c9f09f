import type { Route } from '../../data/contract/routes/route.ts';
import { nearestLabels } from '../identity/nearestLabels.ts';
import { missError } from '../problem/missError.ts';
import { committedSample } from '../store/committedSample.ts';
import { type FreeDocument, freeDocument } from './freeDocument.ts';

const maxDistance = 6;

/**
 * The committed sample of a priced live operation (I4.F20.1); a mirror has that of its twin. As a page it is the `html`
 * member of the sample with a line in its header that says so; a sample without one stays JSON.
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
  const page = asPage ? pageOf(bytes) : null;
  return page === null
    ? freeDocument({ bytes })
    : freeDocument({ bytes: Buffer.from(page), contentType: 'text/html; charset=utf-8' });
}

const notice = '<p class="quiet">Sample: what this address answered over the fixture release.</p>';

/** The page of a sample that has one, marked as a sample. */
function pageOf(sample: Uint8Array): string | null {
  const { html } = JSON.parse(Buffer.from(sample).toString('utf8')) as { html?: unknown };
  return typeof html === 'string' ? html.replace('<header>', `<header>\n${notice}`) : null;
}
