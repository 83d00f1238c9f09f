import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { CalculationNetwork } from './calculationNetwork.ts';

type TopmostRoot = {
  readonly concept: string;
  readonly parent: string;
  /** Product of the weights from the start: its sign in the total. */
  readonly weight: 1 | -1;
};

/**
 * Walks down from `start` and stops at the first match on each path (M1.25).
 *
 * A concept counts once even with two parents, by its first in (order, QName); a match below another match is
 * part of it and is dropped (M15.7). Each concept is visited at most once, so the walk ends on any network.
 */
export function topmostRoots({
  network,
  start,
  matches,
  skips,
}: {
  network: CalculationNetwork;
  start: string;
  matches(concept: string): boolean;
  /** Subtrees to exclude. */
  skips?(concept: string): boolean;
}): { readonly roots: readonly TopmostRoot[]; readonly visited: ReadonlySet<string> } {
  const seen = new Set([start]);
  const found: TopmostRoot[] = [];
  const open: { concept: string; weight: 1 | -1 }[] = [{ concept: start, weight: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const below: typeof open = [];
    for (const edge of network.childrenOf(next.concept)) {
      if (seen.has(edge.child) || skips?.(edge.child) === true) continue;
      seen.add(edge.child);
      const weight: 1 | -1 = next.weight === edge.weight ? 1 : -1;
      if (matches(edge.child)) found.push({ concept: edge.child, parent: edge.parent, weight });
      else below.push({ concept: edge.child, weight });
    }
    open.push(...below.reverse());
  }
  const parts = descendantsOf(
    network,
    found.map((root) => root.concept),
  );
  return { roots: found.filter((root) => !parts.has(root.concept)), visited: seen };
}

/** Every concept strictly below one of `concepts`. */
export function descendantsOf(network: CalculationNetwork, concepts: Iterable<string>): ReadonlySet<string> {
  const below = new Set<string>();
  const open = [...concepts];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { child } of network.childrenOf(next)) {
      if (below.has(child)) continue;
      below.add(child);
      open.push(child);
    }
  }
  return below;
}

type Below = 'nothing' | 'all' | 'other';

/**
 * Concepts that are unreported while every reported concept below them matches, and at least one does
 * (M1.25 iii).
 */
export function whollyMatching(
  network: CalculationNetwork,
  { isReported, matches }: { isReported(concept: string): boolean; matches(concept: string): boolean },
): ReadonlySet<string> {
  const below = new Map<string, Below>();
  const wholly = new Set<string>();
  for (const concept of network.concepts.toReversed()) {
    const parts = network.childrenOf(concept).map(({ child }) => below.get(child) ?? 'nothing');
    const own = isReported(concept) ? (matches(concept) ? 'all' : 'other') : merged(parts);
    // an unreported concept that matches by name is a root with any parts (M1.25 i)
    below.set(concept, own === 'other' && matches(concept) ? 'all' : own);
    if (own === 'all' && !isReported(concept)) wholly.add(concept);
  }
  return wholly;
}

function merged(parts: readonly Below[]): Below {
  if (parts.includes('other')) return 'other';
  return parts.includes('all') ? 'all' : 'nothing';
}

/** A root with its value: its own fact, or the weighted sum of the topmost facts below it (M1.26). */
export type ValuedRoot = TopmostRoot & {
  /** Before the root's own weight. */
  readonly value: ExactDecimal;
  /** Reported concepts behind the value; the root itself when it is reported. */
  readonly parts: readonly RootPart[];
};

/** A valued root in the bucket of its side, with the network it stands in and why it counts. */
export type SideRoot<Bucket> = ValuedRoot & {
  readonly bucket: Bucket;
  readonly role: string;
  readonly reason: string;
  readonly isExtension: boolean;
};

export type RootPart = {
  readonly concept: string;
  readonly value: ExactDecimal;
  /** Sign in the root's value. */
  readonly weight: 1 | -1;
};

/**
 * Values the roots of a walk; a root with nothing reported is dropped, and no fact is counted twice though two
 * unreported roots share it.
 */
export function rootValues(input: {
  network: CalculationNetwork;
  roots: readonly TopmostRoot[];
  sheet: FactSheet;
}): {
  readonly roots: readonly ValuedRoot[];
  /** Concepts whose contradicting facts leave a root without a value (M1.8). */
  readonly blocked: readonly string[];
} {
  const { network, sheet } = input;
  const own = input.roots.filter(({ concept }) => sheet.reports(concept)).map(({ concept }) => concept);
  const counted = new Set([...own, ...descendantsOf(network, own)]);
  const blocked = new Set<string>();
  const roots: ValuedRoot[] = [];
  const amount = (concept: string) => {
    if (sheet.isBlocked(concept)) blocked.add(concept);
    return sheet.amount(concept);
  };
  for (const root of input.roots) {
    if (sheet.reports(root.concept)) {
      const value = amount(root.concept);
      if (value !== null) {
        roots.push({ ...root, value, parts: [{ concept: root.concept, value, weight: 1 }] });
      }
      continue;
    }
    const below = topmostRoots({
      network,
      start: root.concept,
      matches: sheet.reports,
      skips: (concept) => counted.has(concept),
    });
    for (const concept of below.visited) counted.add(concept);
    const parts = below.roots.flatMap(({ concept, weight }) => {
      const value = amount(concept);
      return value === null ? [] : [{ concept, weight, value }];
    });
    for (const concept of descendantsOf(
      network,
      parts.map((part) => part.concept),
    )) {
      counted.add(concept);
    }
    if (parts.length > 0) roots.push({ ...root, value: sumOf(parts.map(signed)), parts });
  }
  return { roots, blocked: [...blocked] };
}

/** An amount with its weight applied. */
export function signed({ value, weight }: { value: ExactDecimal; weight: 1 | -1 }): ExactDecimal {
  return weight === 1 ? value : value.negated();
}
