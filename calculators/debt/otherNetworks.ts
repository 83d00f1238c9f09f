import { closeTo } from '../exact/decimals.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { CalculationNetwork } from '../network/calculationNetwork.ts';
import { conceptWords, isStructural } from '../network/conceptNames.ts';
import type { FilingNetworks } from '../network/filingNetworks.ts';
import { descendantsOf, rootValues, signed, topmostRoots, type ValuedRoot } from '../network/networkRoots.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { classifyDebt, namesDebt } from './classifyDebt.ts';
import type { LiabilitiesSide } from './liabilitiesSide.ts';

// What other networks of the filing say of lines that the chosen network names as debt, or as debt and something else.

/**
 * Concepts outside the dictionary that read as debt, but whose value another network of the filing makes up of
 * things that do not (NXTT 2025-03-31 tags "Other payable", accrued fees and the like, as
 * `OtherNotesPayableCurrent`).
 */
export function decomposedOtherwise(
  { network, sheet, declarations }: LiabilitiesSide,
  { networks, parameters }: { networks: FilingNetworks; parameters: Parameters },
): ReadonlySet<string> {
  const others = networks.all.filter((other) => other !== network);
  const isOtherwise = (concept: string) => {
    const value = sheet.positive(concept);
    const found =
      value === null ? null : classifyDebt(concept, { declarations, concepts: parameters.concepts });
    if (value === null || found === null || found.kind === 'dictionary') return false;
    return others.some((other) => {
      const parts = other.childrenOf(concept).flatMap(({ child, weight }) => {
        const amount = sheet.amount(child);
        return amount === null ? [] : [{ child, value: amount, weight }];
      });
      const readsOtherwise = parts.every(({ child }) => !anyDebtWord(child, parameters.concepts));
      const sum = sumOf(parts.map(signed));
      return parts.length > 0 && readsOtherwise && closeTo(sum, value, parameters.identityTolerance);
    });
  };
  return new Set(network.concepts.filter(isOtherwise));
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
export function noteRoots({
  side,
  counted,
  networks,
  parameters,
}: {
  side: LiabilitiesSide;
  /** Roots counted already. */
  counted: readonly string[];
  networks: FilingNetworks;
  parameters: Parameters;
}): readonly NoteRoot[] {
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

/** True when the reported items of a concept in a network add up to its value. */
function breaksDown(
  concept: string,
  network: CalculationNetwork,
  { sheet, parameters }: { sheet: FactSheet; parameters: Parameters },
): boolean {
  const value = sheet.amount(concept);
  const items = network.childrenOf(concept).flatMap(({ child, weight }) => {
    const amount = sheet.amount(child);
    return amount === null ? [] : [{ value: amount, weight }];
  });
  return (
    value !== null &&
    items.length > 1 &&
    closeTo(sumOf(items.map(signed)), value, parameters.identityTolerance)
  );
}
