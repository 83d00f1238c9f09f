import { compareText } from './compareText.ts';
import { cikPattern } from './primitives.ts';

/** What resolution needs to know of an issuer. */
export type Identifiable = {
  readonly cik: string;
  /** null for an issuer known by CIK only. */
  readonly ticker: string | null;
  readonly aliases: readonly string[];
};

/** What a label stands for; only `resolved` names one issuer. */
export type Identity<I extends Identifiable> =
  | { readonly kind: 'resolved'; readonly issuer: I; readonly via: 'ticker' | 'alias' | 'cik' }
  /** More than one issuer claims the label; sorted by CIK, never narrowed by a guess (I1.17). */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly I[] }
  | { readonly kind: 'unknown' };

/** The universe by label; built once and looked up often. */
export type IdentityIndex<I extends Identifiable> = {
  readonly byTicker: ReadonlyMap<string, readonly I[]>;
  readonly byAlias: ReadonlyMap<string, readonly I[]>;
  readonly byCik: ReadonlyMap<string, I>;
};

/** Indexes issuers by current ticker, alias and CIK; the three are separate namespaces. */
export function indexIdentities<I extends Identifiable>(issuers: readonly I[]): IdentityIndex<I> {
  const byTicker = new Map<string, I[]>();
  const byAlias = new Map<string, I[]>();
  const byCik = new Map<string, I>();
  const inCikOrder = [...issuers].sort((a, b) => compareText(a.cik, b.cik));
  for (const issuer of inCikOrder) {
    byCik.set(issuer.cik, issuer);
    if (issuer.ticker !== null) push(byTicker, issuer.ticker, issuer);
    for (const alias of issuer.aliases) push(byAlias, alias, issuer);
  }
  return { byTicker, byAlias, byCik };
}

/**
 * Resolves a label: exact current ticker, then listed alias, then zero-padded CIK (I1.15, I1.16).
 *
 * The first of the three that hits decides, and only if it names one issuer. Instruments such as warrants,
 * units and preferred stock are labels of their own: nothing is stripped from a label to make it fit (I1.17).
 * Asset symbols are not looked up at all.
 */
export function resolveIdentity<I extends Identifiable>(input: {
  readonly label: string;
  readonly index: IdentityIndex<I>;
}): Identity<I> {
  // ASCII only: "ı".toUpperCase() would turn into a letter that was not typed
  const label = input.label.replace(/[a-z]/g, (c) => c.toUpperCase());
  const current = input.index.byTicker.get(label);
  if (current !== undefined) return unique(current, 'ticker');
  const former = input.index.byAlias.get(label);
  if (former !== undefined) return unique(former, 'alias');
  const byCik = cikPattern.test(label) ? input.index.byCik.get(label) : undefined;
  return byCik === undefined ? { kind: 'unknown' } : { kind: 'resolved', issuer: byCik, via: 'cik' };
}

function unique<I extends Identifiable>(hits: readonly I[], via: 'ticker' | 'alias'): Identity<I> {
  const [issuer] = hits;
  return hits.length === 1 && issuer !== undefined
    ? { kind: 'resolved', issuer, via }
    : { kind: 'ambiguous', candidates: hits };
}

function push<I>(map: Map<string, I[]>, key: string, issuer: I): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [issuer]);
  else list.push(issuer);
}
