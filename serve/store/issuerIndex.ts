import {
  type Identifiable,
  type IdentityIndex,
  indexIdentities,
} from '../../data/contract/values/issuerIdentity.ts';
import { tickerPattern } from '../../data/contract/values/primitives.ts';

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
