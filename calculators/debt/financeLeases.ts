import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { CalculationNetwork } from '../network/calculationNetwork.ts';
import { descendantsOf, type RootPart } from '../network/networkRoots.ts';
import type { NetworkDebtRoot } from './debtResolution.ts';

/** The undivided balance, and its two parts. */
export const undividedLease = 'us-gaap:FinanceLeaseLiability';
export const dividedLeases = [
  'us-gaap:FinanceLeaseLiabilityCurrent',
  'us-gaap:FinanceLeaseLiabilityNoncurrent',
] as const;

type Held = {
  readonly root: NetworkDebtRoot;
  /** The lease balance inside the root. */
  readonly concept: string;
};

/**
 * Takes finance leases off the roots that hold them (M1.20b): where the filing names the line that holds a lease balance it
 * decides, else the name of the root does; the undivided balance, less a part that is filed, where roots of both buckets hold
 * leases. A balance that the face shows as a line of its own is in no root. A root that is all leases is no debt.
 */
export function withoutFinanceLeases(
  roots: readonly NetworkDebtRoot[],
  face: {
    readonly network: CalculationNetwork;
    readonly start: string;
    readonly sheet: FactSheet;
    /** The balance that a root holds by its name; null for one that holds none. */
    leaseByName(root: NetworkDebtRoot): string | null;
  },
): { readonly roots: readonly NetworkDebtRoot[]; readonly includesLeases: boolean } {
  const { network, start, sheet } = face;
  const below = descendantsOf(network, [start]);
  const isInside = (root: NetworkDebtRoot, line: string) =>
    line === root.concept || descendantsOf(network, [root.concept]).has(line);
  const isOwnLine = (root: NetworkDebtRoot, concept: string) =>
    below.has(concept) && !isInside(root, concept);
  const held = roots.flatMap((root): Held[] => {
    const concept = root.value.sign > 0 ? leaseIn(root, { ...face, isInside }) : null;
    return concept === null || isOwnLine(root, concept) || isOwnLine(root, undividedLease)
      ? []
      : [{ root, concept }];
  });
  const filed = held.filter(({ root, concept }) => fits(sheet.positive(concept), root));
  const undivided = undividedPart(held, filed, sheet);
  const parts = new Map<NetworkDebtRoot, NetworkDebtRoot>([
    ...filed.map(({ root, concept }) => [root, leasePart(root, [[concept, 1]], sheet)] as const),
    ...(undivided === null ? [] : [undivided]),
  ]);
  return {
    roots: roots.flatMap((root) => {
      const part = parts.get(root);
      if (part === undefined) return [root];
      return part.value.equals(root.value) ? [] : [root, part];
    }),
    includesLeases: undivided === null && filed.length < held.length,
  };
}

function leaseIn(
  root: NetworkDebtRoot,
  face: {
    readonly sheet: FactSheet;
    leaseByName(root: NetworkDebtRoot): string | null;
    isInside(root: NetworkDebtRoot, line: string): boolean;
  },
): string | null {
  const { sheet } = face;
  const isNamed = (concept: string) => {
    const lines = sheet.linesHolding(concept);
    return lines.length > 0 && lines.every((line) => face.isInside(root, line));
  };
  const named = [...dividedLeases, undividedLease].find(isNamed);
  if (named !== undefined) return named;
  const byName = face.leaseByName(root);
  if (byName === null) return null;
  const lists = [byName, undividedLease].map(sheet.linesHolding).filter((lines) => lines.length > 0);
  const parts = dividedLeases.map(sheet.linesHolding);
  if (byName === undividedLease && parts.every((lines) => lines.length > 0)) lists.push(...parts);
  const isElsewhere =
    lists.length > 0 && !lists.some((lines) => lines.some((line) => face.isInside(root, line)));
  return isElsewhere ? null : byName;
}

function fits(value: ExactDecimal | null, root: NetworkDebtRoot): value is ExactDecimal {
  return value !== null && value.compare(root.value) <= 0;
}

/** What is left of the undivided balance, off the larger root whose part is not filed; null where it belongs to neither. */
function undividedPart(
  held: readonly Held[],
  filed: readonly Held[],
  sheet: FactSheet,
): readonly [NetworkDebtRoot, NetworkDebtRoot] | null {
  const open = held.filter((one) => !filed.includes(one));
  const areBoth = new Set(held.map(({ root }) => root.bucket === 'C')).size === 2;
  const isFiledPart = open.some(({ concept }) => sheet.positive(concept) !== null);
  if (!areBoth || isFiledPart || sheet.positive(undividedLease) === null) return null;
  const [largest] = open.map(({ root }) => root).sort((a, b) => b.value.compare(a.value));
  if (largest === undefined) return null;
  const sources = filed.map(({ concept }) => [concept, -1] as const);
  const part = leasePart(largest, [[undividedLease, 1], ...sources], sheet);
  return part.value.sign > 0 && part.value.compare(largest.value) < 0 ? [largest, part] : null;
}

/** A negative root below the one that holds the leases. */
function leasePart(
  root: NetworkDebtRoot,
  sources: readonly (readonly [concept: string, weight: 1 | -1])[],
  sheet: FactSheet,
): NetworkDebtRoot {
  const parts = sources.flatMap(([concept, weight]): RootPart[] => {
    const value = sheet.positive(concept);
    return value === null ? [] : [{ concept, value, weight }];
  });
  return {
    bucket: root.bucket,
    concept: sources[0]?.[0] ?? undividedLease,
    value: sumOf(parts.map(({ value, weight }) => (weight === 1 ? value : value.negated()))),
    role: root.role,
    parent: root.concept,
    weight: root.weight === 1 ? -1 : 1,
    reason: 'finance leases inside a lease-inclusive figure',
    parts,
    isExtension: false,
    isLeasePart: true,
  };
}
