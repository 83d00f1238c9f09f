import { type ResolvedIssuer, resolveIssuer } from '../identity/resolveIssuer.ts';
import type { Release } from '../store/artifactStore.ts';
import type { FindInput } from './findInput.ts';

/**
 * The issuer that the parameter `ticker` of an issuer route names, in path, query or body.
 *
 * @throws IssuerError `ambiguous_ticker` or `not_found` (I1.16, I1.17)
 */
export async function pathIssuer({ params, route }: FindInput, release: Release): Promise<ResolvedIssuer> {
  const asked = String(params.values.get('ticker'));
  return resolveIssuer({ asked, index: await release.issuers(), route });
}
