import { IssuerError } from '../../contract/errors/issuerError.ts';
import { type ResolvedIssuer, resolveIssuer } from '../identity/resolveIssuer.ts';
import type { Release } from '../store/artifactStore.ts';
import type { FindInput } from './findInput.ts';

/**
 * The issuer that the query parameters `ticker` and `cik` name; null when neither was sent.
 *
 * @throws IssuerError `identifier_conflict` when they name two, `ambiguous_ticker`, or `not_found` (I4.R03.3,
 * I4.R24.2).
 */
export async function askedIssuer(
  { params, route }: FindInput,
  release: Release,
): Promise<ResolvedIssuer | null> {
  const index = await release.issuers();
  const named = ['ticker', 'cik'].flatMap((name) => {
    const asked = params.values.get(name);
    return typeof asked === 'string' ? [resolveIssuer({ asked, index, route })] : [];
  });
  const [first, second] = named;
  if (first !== undefined && second !== undefined && first.issuer.cik !== second.issuer.cik) {
    throw new IssuerError({
      code: 'identifier_conflict',
      message: `ticker names ${first.issuer.name}, cik names ${second.issuer.name}.`,
      hint: 'Send one of them.',
      details: { parameter: 'cik', ticker: first.ticker, cik: second.issuer.cik },
    });
  }
  return first ?? null;
}
