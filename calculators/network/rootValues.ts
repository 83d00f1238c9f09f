import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { CalculationNetwork } from './calculationNetwork.ts';
import { descendantsOf, type TopmostRoot, topmostRoots } from './topmostRoots.ts';

/** A root with its value: its own fact, or the weighted sum of the topmost facts below it (M1.26). */
export type ValuedRoot = TopmostRoot & {
  /** Before the root's own weight. */
  readonly value: ExactDecimal;
  /** Reported concepts behind the value; the root itself when it is reported. */
  readonly parts: readonly RootPart[];
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
