import { outsideUniverse } from '../../identity/outsideUniverse.ts';
import { type ResolvedIssuer, resolveIssuer } from '../../identity/resolveIssuer.ts';
import type { Release } from '../../store/artifactStore.ts';
import type { FindInput } from '../servable/findInput.ts';

/**
 * The issuer of a release that a label names.
 *
 * @throws IssuerError `ambiguous_ticker` or `not_found` (I1.16, I1.17)
 */
export async function namedIssuer(
  { route }: FindInput,
  release: Release,
  asked: string,
): Promise<ResolvedIssuer> {
  const index = await release.issuers();
  return resolveIssuer({ asked, index, route, outside: (label) => outsideUniverse(release, label) });
}
