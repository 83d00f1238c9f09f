import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { exceeds } from '../../exact/closeTo.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { relatedPartyLines } from '../../filing/relatedPartyLines.ts';
import type { XbrlFiling } from '../../filing/xbrlFiling.ts';
import { classifyDebt, type KnownConcepts, readsAsDebt } from '../concepts/classifyDebt.ts';
import { hierarchyConflicts } from '../concepts/hierarchyConflicts.ts';
import type { DebtInputs } from '../result/debtResolution.ts';
import { unprovenDebt } from '../result/unprovenDebt.ts';
import { debtIdentities } from './debtIdentities.ts';
import { memberSums } from './memberSums.ts';

/**
 * Admissible totals that are above `total` by more than the limit of M1.36, smallest first: identities that do not
 * hold, parts larger than their whole, lines stated by counterparty, members of a debt axis, balances of the filer
 * itself. A total below the chosen one merely lacks parts; one above the liabilities is no candidate (M1.35).
 */
export function debtCandidates(
  inputs: DebtInputs,
  chosen: { total: ExactDecimal; concepts: readonly string[] },
): readonly ExactDecimal[] {
  const { sheet, parameters, filing } = inputs;
  const { total } = chosen;
  const { rival } = debtIdentities(sheet, total, parameters);
  const others = [
    ...(rival === null ? [] : [rival]),
    ...hierarchyConflicts(sheet, chosen.concepts, parameters).map((more) => total.plus(more)),
    ...(filing === null ? [] : [total.plus(unprovenDebt(sheet, total, parameters))]),
    ...(filing === null
      ? []
      : [total.plus(counterpartyDebt(filing, inputs)), ...undividedSums(filing, inputs)]),
  ];
  const liabilities = sheet.amount('us-gaap:Liabilities');
  return others
    .filter((other) => exceeds(other, total, parameters.candidateDisagreement))
    .filter((other) => liabilities === null || !exceeds(other, liabilities, parameters.identityTolerance))
    .sort((a, b) => a.compare(b));
}

/** Debt that the filing states for related parties only, where no total is at hand to place it (M1.7b). */
function counterpartyDebt(filing: XbrlFiling, { sheet, networks, parameters }: DebtInputs): ExactDecimal {
  const isFiled = (concept: string) => sheet.chosen(concept) !== null;
  const lines = relatedPartyLines(filing, { period: sheet.period, isFiled });
  const known = { declarations: networks.declarations, concepts: parameters.concepts };
  const debts = lines.filter(({ concept }) => isLineOfDebt(concept, known));
  return sumOf(debts.map(({ value }) => value));
}

function isLineOfDebt(concept: string, known: KnownConcepts): boolean {
  const found = classifyDebt(concept, known);
  return found === null
    ? concept
        .split(':')
        .slice(1)
        .some((name) => readsAsDebt([name.toLowerCase()], known.concepts))
    : true;
}

/** Sums of one debt concept over the members of one debt axis, where the filing states no undivided amount of it. */
function undividedSums(filing: XbrlFiling, { sheet, parameters }: DebtInputs): ExactDecimal[] {
  const counts = (concept: string) =>
    parameters.concepts.debtConcept(concept)?.isPrincipal === false && sheet.chosen(concept) === null;
  return memberSums(filing, { period: sheet.period, counts });
}
