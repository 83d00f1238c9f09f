import { isStandardPrefix, standardPrefix } from './xbrlNamespaces.ts';

/** Names QNames of one filing so that a namespace has one prefix in all of its documents. */
export type ConceptNames = {
  /** `prefix:local`; `declared` is the prefix this document uses for `uri`. */
  qname(o: { uri: string; local: string; declared: string }): string;
  /** The prefix of a namespace that is standard or was met before; null of any other. */
  prefix(uri: string): string | null;
};

/**
 * Starts the naming of a filing: standard namespaces get their customary prefix, own ones the prefix first declared
 * for them. An own namespace that calls itself by a standard prefix, or by one already taken, is numbered
 * (`us-gaap.2`), so that it can never pass for the other.
 */
export function conceptNames(): ConceptNames {
  const prefixes = new Map<string, string>();
  const taken = new Set<string>();
  // where the search for a free number goes on
  const numbered = new Map<string, number>();

  function prefixOf(uri: string, declared: string): string {
    const known = prefixes.get(uri);
    if (known !== undefined) return known;
    const prefix = standardPrefix(uri) ?? freePrefix(declared);
    prefixes.set(uri, prefix);
    taken.add(prefix);
    return prefix;
  }

  function freePrefix(declared: string): string {
    const wanted = declared === '' ? 'ns' : declared;
    if (!isStandardPrefix(wanted) && !taken.has(wanted)) return wanted;
    let n = numbered.get(wanted) ?? 2;
    while (taken.has(`${wanted}.${n}`)) n += 1;
    numbered.set(wanted, n + 1);
    return `${wanted}.${n}`;
  }

  return {
    qname: ({ uri, local, declared }) => `${prefixOf(uri, declared)}:${local}`,
    prefix: (uri) => prefixes.get(uri) ?? standardPrefix(uri),
  };
}
