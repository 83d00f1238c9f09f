import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { closeTo } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { CalculationNetwork } from '../network/calculationNetwork.ts';
import {
  conceptWords,
  currentLiabilitiesConcepts,
  isEquity,
  isStandard,
  isStructural,
} from '../network/conceptNames.ts';
import type { DecidingSignal } from '../network/filingNetworks.ts';
import {
  descendantsOf,
  rootValues,
  signed,
  topmostRoots,
  type ValuedRoot,
  whollyMatching,
} from '../network/networkRoots.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { classifyDebt, classifyFairValue, type DebtClass, namesDebt, readsAsDebt } from './classifyDebt.ts';
import type { DebtInputs, NetworkDebtRoot } from './debtResolution.ts';
import { withoutFinanceLeases } from './financeLeases.ts';
import { grossUps, type LiabilitiesSide } from './liabilitiesSide.ts';
import { closesSide, type SideResidual, sideResiduals } from './sideResiduals.ts';

/** A liabilities side that was walked. */
export type Walked = {
  readonly kind: 'walked';
  readonly side: LiabilitiesSide;
  readonly start: string;
  readonly network: CalculationNetwork;
  /** What preferred this network to others that have the side. */
  readonly signal: DecidingSignal;
  readonly roots: readonly NetworkDebtRoot[];
  /** Matches filed as zero or nil: reported, no amount (M1.9). */
  readonly zeros: readonly NetworkDebtRoot[];
  /** Lease-inclusive roots without a lease figure to take off. */
  readonly includesLeases: boolean;
  /** Some roots come from the note that breaks a mixed line down. */
  readonly usesNote: boolean;
  /** How the totals of the side stand to their items (M1.18b). */
  readonly residuals: readonly SideResidual[];
  /** The side adds up: what it does not show as debt is none. */
  readonly closes: boolean;
  /** A root is debt at fair value, which counts on a side that adds up. */
  readonly hasFairValues: boolean;
  /** Standard concepts that read as debt but that the filing itself breaks down into other things. */
  readonly notDebt: readonly string[];
  /** Liabilities of the filer that only stand against an asset (M1.22c). */
  readonly grossUps: ReadonlySet<string>;
  readonly visited: number;
};

/** What the walk made of the liabilities side. */
export type DebtWalk =
  | Walked
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** What the network proves at least, although a root has no usable value. */
      readonly atLeast: ExactDecimal;
      /** Lines of debt that it shows all the same, and the side they stand on; null where no side was read (M3.3c). */
      readonly shown: ShownDebt | null;
    };

/** Lines of a side that are debt, beside any other lines. */
export type ShownDebt = { readonly side: LiabilitiesSide; readonly roots: readonly NetworkDebtRoot[] };

/**
 * Walks a network of the liabilities side down from its start, past equity subtrees, and values the debt roots it
 * stops at (M1.25, M1.26).
 *
 * Refused when a line that reads as debt cannot be classified for want of its declaration, when contradicting facts
 * leave a root without value, or when a root would lower the total.
 */
export function debtWalk(side: LiabilitiesSide, input: WalkInput): DebtWalk {
  const walk = walkOf(side, { ...input, withFairValues: true });
  // at fair value only a line of a side that adds up is debt (M1.20)
  const isDoubtful = walk.kind === 'walked' && walk.hasFairValues && !walk.closes;
  return isDoubtful || walk.kind === 'refused' ? walkOf(side, { ...input, withFairValues: false }) : walk;
}

type WalkInput = Pick<DebtInputs, 'networks' | 'face' | 'parameters'>;

function walkOf(side: LiabilitiesSide, input: WalkInput & { readonly withFairValues: boolean }): DebtWalk {
  const { network, start, signal, sheet } = side;
  const { concepts } = input.parameters;
  const against = grossUps(side, input);
  const notDebt = decomposedOtherwise(side, input).union(against);
  const classes = classesOf(side, { notDebt, concepts, withFairValues: input.withFairValues });
  const wholly = whollyMatching(network, {
    isReported: sheet.reports,
    matches: (concept) => classes.has(concept),
  });
  const walk = topmostRoots({
    network,
    start,
    skips: isEquity,
    matches: (concept) => classes.has(concept) || (wholly.has(concept) && !isStructural(concept)),
  });
  const { roots: valued, blocked } = rootValues({ network, roots: walk.roots, sheet });
  const current = descendantsOf(network, currentLiabilitiesConcepts);
  const { roots: onFace, includesLeases } = withoutFinanceLeases(
    valued.map((root) =>
      debtRoot(root, { found: classes.get(root.concept), network, isCurrent: current.has(root.concept) }),
    ),
    { network, start, sheet, leaseByName: (root) => leaseConcept(root, classes.get(root.concept)) },
  );
  const inNotes = noteRoots(
    side,
    walk.roots.map((root) => root.concept),
    input,
  );
  const roots = [
    ...onFace,
    ...inNotes.map(({ line, network: note, ...root }): NetworkDebtRoot => {
      const found = classifyDebt(root.concept, { declarations: side.declarations, concepts }) ?? undefined;
      const own = debtRoot(root, { found, network: note, isCurrent: current.has(line) });
      return { ...own, reason: `${own.reason}, inside ${line}` };
    }),
  ];
  const shown = { side, roots };
  const undeclared = undeclaredDebt(side, { concepts, against });
  if (undeclared !== undefined) {
    const reason = `${undeclared} reads as debt and no schema declares it`;
    return { kind: 'refused', reason, atLeast: ExactDecimal.zero, shown };
  }
  if (blocked.length > 0) {
    const least = blocked.map((concept): NetworkDebtRoot => {
      const place = walk.roots.find((root) => root.concept === concept) ?? {
        concept,
        parent: start,
        weight: 1,
      };
      const valued = { ...place, value: smallestOf(concept, sheet), parts: [] };
      return debtRoot(valued, { found: classes.get(concept), network, isCurrent: current.has(concept) });
    });
    const reason = `contradicting facts of ${blocked.join(', ')}`;
    const lines = [...roots, ...least];
    return { kind: 'refused', reason, atLeast: sumOf(lines.map(signed)), shown: { side, roots: lines } };
  }
  const negative = roots.find((root) => !root.isLeasePart && signed(root).sign < 0);
  if (negative !== undefined) {
    const reason = `${negative.concept} would lower the total`;
    return { kind: 'refused', reason, atLeast: ExactDecimal.zero, shown };
  }
  const zeros = walk.roots
    .filter(({ concept }) => sheet.isNil(concept) || sheet.amount(concept)?.sign === 0)
    .map((root) => {
      const isCurrent = current.has(root.concept);
      const zero = { ...root, value: ExactDecimal.zero, parts: [] };
      return debtRoot(zero, { found: classes.get(root.concept), network, isCurrent });
    });
  const parents = roots.filter(({ isLeasePart }) => !isLeasePart).map(({ parent }) => parent);
  const residuals = sideResiduals(side, { start, parents, parameters: input.parameters });
  return {
    kind: 'walked',
    side,
    start,
    network,
    signal,
    roots,
    zeros,
    includesLeases,
    residuals,
    // document order is accepted only when it adds up
    closes: side.source === 'face_order' || closesSide(residuals, start),
    hasFairValues: walk.roots.some(({ concept }) => classes.get(concept)?.kind === 'fair_value'),
    usesNote: inNotes.length > 0,
    notDebt: [...notDebt],
    grossUps: against,
    visited: walk.visited.size,
  };
}

/** The first reported extension below the start that may be debt, but is declared nowhere (M1.22). */
function undeclaredDebt(
  { network, start, declarations, sheet }: LiabilitiesSide,
  { concepts, against }: { concepts: Concepts; against: ReadonlySet<string> },
): string | undefined {
  return [...descendantsOf(network, [start])]
    .filter((concept) => !isStandard(concept) && !declarations.has(concept) && !against.has(concept))
    .filter((concept) => sheet.positive(concept) !== null && readsAsDebt(conceptWords(concept), concepts))
    .sort(compareText)[0];
}

function classesOf(
  { network, declarations }: LiabilitiesSide,
  {
    notDebt,
    concepts,
    withFairValues,
  }: { notDebt: ReadonlySet<string>; concepts: Concepts; withFairValues: boolean },
): ReadonlyMap<string, DebtClass> {
  const classes = new Map<string, DebtClass>();
  for (const concept of network.concepts) {
    const found =
      isStructural(concept) || notDebt.has(concept)
        ? null
        : (classifyDebt(concept, { declarations, concepts }) ??
          (withFairValues ? classifyFairValue(concept, { declarations, concepts }) : null));
    if (found !== null) classes.set(concept, found);
  }
  return classes;
}

function debtRoot(
  root: ValuedRoot,
  {
    found,
    network,
    isCurrent,
  }: { found: DebtClass | undefined; network: CalculationNetwork; isCurrent: boolean },
): NetworkDebtRoot {
  const { concept } = root;
  const row = found?.kind === 'dictionary' ? found.row : null;
  return {
    ...root,
    bucket: isCurrent ? 'C' : (row?.bucket ?? 'N'),
    role: network.role,
    reason: reasonOf(found),
    isExtension: found !== undefined && !isStandard(concept),
    isLeasePart: false,
  };
}

function reasonOf(found: DebtClass | undefined): string {
  switch (found?.kind) {
    case 'dictionary':
      return `dictionary level ${found.row.level}`;
    case 'extension':
      return 'accepted extension';
    case 'extension_with_leases':
      return 'accepted extension, finance leases taken off';
    case 'fair_value':
      return 'debt at fair value, a line of a side that adds up';
    case 'standard':
      return 'standard concept that reads as debt';
    case undefined:
      return 'unreported, every reported concept below it is debt';
  }
}

function smallestOf(concept: string, sheet: FactSheet): ExactDecimal {
  const entry = sheet.chosen(concept);
  const values = entry?.kind === 'blocked' ? entry.values : [];
  return values.find((value) => value.sign > 0) ?? ExactDecimal.zero;
}

/** The lease balance that a root holds by its name (M1.20b). */
function leaseConcept(root: NetworkDebtRoot, found: DebtClass | undefined): string | null {
  if (found?.kind === 'dictionary') return found.row.leasePart ?? null;
  if (found?.kind !== 'extension_with_leases') return null;
  return `us-gaap:FinanceLeaseLiability${root.bucket === 'C' ? 'Current' : 'Noncurrent'}`;
}

// What other networks of the filing say of lines that the chosen network names as debt, or as debt and something else.

/**
 * Concepts outside the dictionary that read as debt, but whose value another network of the filing makes up of
 * things that do not (NXTT 2025-03-31 tags "Other payable", accrued fees and the like, as
 * `OtherNotesPayableCurrent`).
 */
function decomposedOtherwise(
  { network, sheet, declarations }: LiabilitiesSide,
  { networks, parameters }: WalkInput,
): ReadonlySet<string> {
  const others = networks.all.filter((other) => other !== network);
  const isOtherwise = (concept: string) => {
    const value = sheet.positive(concept);
    const found =
      value === null ? null : classifyDebt(concept, { declarations, concepts: parameters.concepts });
    if (value === null || found === null || found.kind === 'dictionary') return false;
    return others.some((other) => {
      const parts = partsIn(other, concept, sheet);
      const readsOtherwise = parts.every(({ child }) => !anyDebtWord(child, parameters.concepts));
      const sum = sumOf(parts.map(signed));
      return parts.length > 0 && readsOtherwise && closeTo(sum, value, parameters.identityTolerance);
    });
  };
  return new Set(network.concepts.filter(isOtherwise));
}

function partsIn(network: CalculationNetwork, concept: string, sheet: FactSheet) {
  return network.childrenOf(concept).flatMap(({ child, weight }) => {
    const value = sheet.amount(child);
    return value === null ? [] : [{ child, value, weight }];
  });
}

function anyDebtWord(concept: string, { hasWord }: Concepts): boolean {
  return conceptWords(concept).some((text) => hasWord(text, 'debt in a breakdown'));
}

/** Debt found in a note, and the line of the balance sheet it is part of. */
type NoteRoot = ValuedRoot & {
  readonly line: string;
  /** The network of the note. */
  readonly network: CalculationNetwork;
};

/**
 * The debt inside lines that mix it with something else, where another network of the filing breaks the line down
 * to its full value (M1.28 `debt_note_network`): debt and operating leases under one total.
 *
 * A line above or below a counted root is left alone, and so is a note that repeats a concept of the balance sheet.
 */
function noteRoots(
  side: LiabilitiesSide,
  counted: readonly string[],
  { networks, parameters }: WalkInput,
): readonly NoteRoot[] {
  const { network: face, start, sheet, declarations } = side;
  const below = descendantsOf(face, counted);
  const { concepts } = parameters;
  const isDebt = (concept: string) => classifyDebt(concept, { declarations, concepts }) !== null;
  const lines = topmostRoots({
    network: face,
    start,
    matches: (concept) =>
      !isStructural(concept) &&
      sheet.positive(concept) !== null &&
      namesDebt(concept, concepts) &&
      !isDebt(concept),
  }).roots.filter(({ concept }) => {
    const parts = descendantsOf(face, [concept]);
    return !below.has(concept) && !counted.some((root) => parts.has(root));
  });
  return lines.flatMap((line): NoteRoot[] => {
    const note = networks.all.find(
      (network) => network !== face && breaksDown(line.concept, network, { sheet, parameters }),
    );
    if (note === undefined) return [];
    const found = topmostRoots({ network: note, start: line.concept, matches: isDebt }).roots;
    const { roots, blocked } = rootValues({ network: note, roots: found, sheet });
    if (blocked.length > 0 || roots.some((root) => face.has(root.concept) || signed(root).sign < 0))
      return [];
    return roots.map((root) => ({
      ...root,
      line: line.concept,
      network: note,
      weight: line.weight === root.weight ? 1 : -1,
    }));
  });
}

function breaksDown(
  concept: string,
  network: CalculationNetwork,
  { sheet, parameters }: { sheet: FactSheet; parameters: Parameters },
): boolean {
  const value = sheet.amount(concept);
  const items = partsIn(network, concept, sheet);
  return (
    value !== null &&
    items.length > 1 &&
    closeTo(sumOf(items.map(signed)), value, parameters.identityTolerance)
  );
}
