import type { CalculationNetwork } from './calculationNetwork.ts';

/** A concept the walk stopped at, and the arc it came by. */
export type TopmostRoot = {
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
  /** Subtrees to leave out. */
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
