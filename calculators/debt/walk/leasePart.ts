import type { FactSheet } from '../../filing/factSheet.ts';
import type { CalculationNetwork } from '../../network/calculationNetwork.ts';
import { descendantsOf } from '../../network/topmostRoots.ts';
import type { DebtClass } from '../concepts/classifyDebt.ts';
import type { NetworkDebtRoot } from './networkDebtRoot.ts';

/**
 * The finance leases inside a lease-inclusive root (†, M1.20): the filed lease figure of its bucket, unless the
 * balance sheet shows that figure as a line of its own beside the root.
 */
export function leasePart(
  root: NetworkDebtRoot,
  {
    found,
    network,
    start,
    sheet,
  }: { found: DebtClass | undefined; network: CalculationNetwork; start: string; sheet: FactSheet },
): NetworkDebtRoot | 'not_filed' | 'nothing_else' | null {
  const concept = leaseConcept(root, found);
  if (concept === null || root.value.sign <= 0) return null;
  const isOwnLine =
    descendantsOf(network, [start]).has(concept) && !descendantsOf(network, [root.concept]).has(concept);
  if (isOwnLine) return null;
  const value = sheet.positive(concept);
  if (value === null || value.compare(root.value) > 0) return 'not_filed';
  if (value.equals(root.value)) return 'nothing_else';
  return {
    bucket: root.bucket,
    concept,
    value,
    role: root.role,
    parent: root.concept,
    weight: root.weight === 1 ? -1 : 1,
    reason: 'finance leases inside a lease-inclusive figure',
    parts: [{ concept, value, weight: 1 }],
    isExtension: false,
    isLeasePart: true,
  };
}

function leaseConcept(root: NetworkDebtRoot, found: DebtClass | undefined): string | null {
  if (found?.kind === 'dictionary') return found.row.leasePart ?? null;
  if (found?.kind !== 'extension_with_leases') return null;
  return `us-gaap:FinanceLeaseLiability${root.bucket === 'C' ? 'Current' : 'Noncurrent'}`;
}
