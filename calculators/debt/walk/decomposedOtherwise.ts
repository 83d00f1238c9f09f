import { closeTo } from '../../exact/closeTo.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { conceptWords } from '../../network/conceptWords.ts';
import type { FilingNetworks } from '../../network/filingNetworks.ts';
import { signed } from '../../network/rootValues.ts';
import type { Concepts } from '../../parameters/concepts.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { classifyDebt } from '../concepts/classifyDebt.ts';
import type { LiabilitiesSide } from './liabilitiesSide.ts';

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
