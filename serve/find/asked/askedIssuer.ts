import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { type Registrant, registrants } from '../../../data/contract/payloads/universe/companies.ts';
import { type ResolvedIssuer, resolveIssuer } from '../../identity/resolveIssuer.ts';
import type { Release } from '../../store/artifactStore.ts';
import type { FindInput } from '../servable/findInput.ts';

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

/**
 * The issuer of a release that a label names: by default the parameter `ticker` of an issuer route, in path, query or body.
 *
 * @throws IssuerError `ambiguous_ticker` or `not_found` (I1.16, I1.17)
 */
export async function namedIssuer(
  { route, params }: FindInput,
  release: Release,
  asked = String(params.values.get('ticker')),
): Promise<ResolvedIssuer> {
  const index = await release.issuers();
  return resolveIssuer({ asked, index, route, outside: (label) => outsideUniverse(release, label) });
}

type Lookup = ReadonlyMap<string, Registrant>;

/**
 * The registrant outside the universe that a label names, by ticker or zero-padded CIK; null where none does, two do, or
 * the release holds no such list (I7.6).
 *
 * @throws IssuerError `artifact_unavailable`
 */
async function outsideUniverse(release: Release, label: string): Promise<Registrant | null> {
  const key = registrants.key({ slice: release.sourceDate });
  const listed = await release.read(key, readRegistrants);
  return listed?.value.get(label.toUpperCase()) ?? null;
}

function readRegistrants(json: unknown): { readonly value: Lookup } | { readonly fault: string } {
  const parsed = registrants.schema.safeParse(json);
  if (!parsed.success) return { fault: 'it is not a list of registrants' };
  const byLabel = new Map<string, Registrant>();
  const contested = new Set<string>();
  for (const registrant of parsed.data.registrants) {
    for (const label of [registrant.cik, ...registrant.tickers]) {
      if (byLabel.has(label)) contested.add(label);
      byLabel.set(label, registrant);
    }
  }
  for (const label of contested) byLabel.delete(label);
  return { value: byLabel };
}
