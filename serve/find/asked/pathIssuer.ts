import type { ResolvedIssuer } from '../../identity/resolveIssuer.ts';
import type { Release } from '../../store/artifactStore.ts';
import type { FindInput } from '../servable/findInput.ts';
import { namedIssuer } from './namedIssuer.ts';

/**
 * The issuer that the parameter `ticker` of an issuer route names, in path, query or body.
 *
 * @throws as `namedIssuer`
 */
export async function pathIssuer(input: FindInput, release: Release): Promise<ResolvedIssuer> {
  return namedIssuer(input, release, String(input.params.values.get('ticker')));
}
