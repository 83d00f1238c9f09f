import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { ResolvedIssuer } from '../../identity/resolveIssuer.ts';
import type { Release } from '../../store/artifactStore.ts';
import type { FindInput } from '../servable/findInput.ts';
import { namedIssuer } from './namedIssuer.ts';

/**
 * The issuer that the query parameters `ticker` and `cik` name; null when neither was sent.
 *
 * @throws IssuerError `identifier_conflict` when they name two, `ambiguous_ticker`, or `not_found` (I4.R03.3,
 * I4.R24.2).
 */
export async function askedIssuer(input: FindInput, release: Release): Promise<ResolvedIssuer | null> {
  const named: ResolvedIssuer[] = [];
  for (const name of ['ticker', 'cik']) {
    const asked = input.params.values.get(name);
    if (typeof asked === 'string') named.push(await namedIssuer(input, release, asked));
  }
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
