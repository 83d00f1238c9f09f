import { tickerPattern } from '../../contract/primitives.ts';

/** One issuer of the companies store, as far as look-up needs it (I4.F08.2). */
export type ListedIssuer = {
  readonly cik: string;
  /** null for an issuer known by CIK only. */
  readonly ticker: string | null;
  readonly name: string;
  readonly aliases: readonly string[];
};

export type MatchedBy = 'ticker' | 'alias' | 'cik';

/** What a label means; several issuers are never decided between (I1.16, I1.17). */
export type Resolution =
  | { readonly kind: 'issuer'; readonly issuer: ListedIssuer; readonly matchedBy: MatchedBy }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly ListedIssuer[] }
  | { readonly kind: 'unknown' };

export type IssuerIndex = {
  /** Resolves an upper-case label: current ticker, then listed alias, then zero-padded CIK (I1.16). */
  resolve(label: string): Resolution;
  /** Every label that works in a path, sorted. */
  readonly labels: readonly string[];
};

/** Builds the look-up of issuers by label. */
export function issuerIndex(issuers: readonly ListedIssuer[]): IssuerIndex {
  const byTicker = new Map<string, ListedIssuer[]>();
  const byAlias = new Map<string, ListedIssuer[]>();
  const byCik = new Map<string, ListedIssuer[]>();
  for (const issuer of issuers) {
    if (issuer.ticker !== null) add(byTicker, issuer.ticker.toUpperCase(), issuer);
    for (const alias of issuer.aliases) add(byAlias, alias.toUpperCase(), issuer);
    add(byCik, issuer.cik, issuer);
  }
  const tiers: readonly (readonly [MatchedBy, ReadonlyMap<string, readonly ListedIssuer[]>])[] = [
    ['ticker', byTicker],
    ['alias', byAlias],
    ['cik', byCik],
  ];
  const labels = [...new Set([...byTicker.keys(), ...byAlias.keys()])].filter((label) =>
    tickerPattern.test(label),
  );
  return {
    labels: labels.sort(),
    resolve(label) {
      for (const [matchedBy, tier] of tiers) {
        const found = tier.get(label);
        const issuer = found?.[0];
        if (found === undefined || issuer === undefined) continue;
        return found.length === 1
          ? { kind: 'issuer', issuer, matchedBy }
          : { kind: 'ambiguous', candidates: found };
      }
      return { kind: 'unknown' };
    },
  };
}

function add(map: Map<string, ListedIssuer[]>, label: string, issuer: ListedIssuer): void {
  const found = map.get(label);
  if (found === undefined) map.set(label, [issuer]);
  else if (!found.includes(issuer)) found.push(issuer);
}
