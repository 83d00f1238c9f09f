import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Registrant } from '../../data/contract/payloads/universe/companies.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import {
  type Identifiable,
  type IdentityIndex,
  indexIdentities,
  resolveIdentity,
} from '../../data/contract/values/issuerIdentity.ts';
import { cikPattern, tickerPattern } from '../../data/contract/values/primitives.ts';
import { missError } from '../problem/missError.ts';
import { nearestLabels } from './nearestLabels.ts';

/** One issuer of the companies store, as far as look-up needs it (I4.F08.2). */
export type ListedIssuer = Identifiable & { readonly name: string };

export type IssuerIndex = IdentityIndex<ListedIssuer> & {
  /** Every label that works in a path, sorted. */
  readonly labels: readonly string[];
};

/** Builds the look-up of issuers by label, with the labels a miss may suggest. */
export function issuerIndex(issuers: readonly ListedIssuer[]): IssuerIndex {
  const index = indexIdentities(issuers);
  const labels = [...index.byTicker.keys(), ...index.byAlias.keys()].filter((label) =>
    tickerPattern.test(label),
  );
  return { ...index, labels: [...new Set(labels)].sort() };
}

/** The issuer a path names and how it was named (I1.19, I4.31 `lookup`). */
export type ResolvedIssuer = {
  readonly issuer: ListedIssuer;
  /** Canonical ticker, or the zero-padded CIK of an issuer without one (I1.18). */
  readonly ticker: string;
  readonly lookup: { readonly asked: string; readonly matched_by: 'ticker' | 'alias' | 'cik' };
};

/**
 * Resolves the `{ticker}` of an issuer route, already in upper case (I1.14–I1.19).
 *
 * @param outside the registrant outside the universe that a label names, where one is known
 * @throws IssuerError `ambiguous_ticker` with the candidates, or `not_found`: `issuer_not_in_universe`, or
 * `unknown_ticker` or `unknown_cik` with up to five similar labels.
 */
export async function resolveIssuer({
  asked,
  index,
  route,
  outside,
}: {
  asked: string;
  index: IssuerIndex;
  route: Route;
  outside: (label: string) => Promise<Registrant | null>;
}): Promise<ResolvedIssuer> {
  const found = resolveIdentity({ label: asked, index });
  switch (found.kind) {
    case 'resolved':
      return {
        issuer: found.issuer,
        ticker: found.issuer.ticker ?? found.issuer.cik,
        lookup: { asked, matched_by: found.via },
      };
    case 'ambiguous':
      throw new IssuerError({
        code: 'ambiguous_ticker',
        message: `${asked} names ${found.candidates.length} issuers.`,
        hint: 'Ask with the zero-padded CIK of the one you mean.',
        details: {
          parameter: 'ticker',
          candidates: found.candidates.map((issuer) => ({
            ticker: issuer.ticker ?? issuer.cik,
            cik: issuer.cik,
            entity_name: issuer.name,
          })),
        },
      });
    case 'unknown': {
      const registrant = await outside(asked);
      if (registrant !== null) throw notInUniverse(route, { asked, registrant });
      const isCik = cikPattern.test(asked);
      throw missError(route, {
        reasonCode: isCik ? 'unknown_cik' : 'unknown_ticker',
        message: `No issuer is known under ${asked}.`,
        hint: 'GET /companies lists the issuers.',
        ticker: asked,
        suggestions: isCik
          ? []
          : nearestLabels({
              asked,
              labels: index.labels,
              maxDistance: asked.length < 3 ? 1 : 2,
            }),
      });
    }
  }
}

function notInUniverse(
  route: Route,
  { asked, registrant: { cik, name } }: { asked: string; registrant: Registrant },
): Error {
  return missError(route, {
    reasonCode: 'issuer_not_in_universe',
    message: `${asked} is ${name ?? 'a registrant'} (CIK ${cik}), which is not in the universe.`,
    hint: 'The universe holds issuers with crypto assets; GET /companies lists them.',
    ticker: asked,
  });
}
