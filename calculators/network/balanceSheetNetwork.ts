import { compareText } from '../compareText.ts';
import type { FactSheet } from '../factSheet.ts';
import type { LinkRole } from '../xbrlFiling.ts';
import type { CalculationNetwork } from './calculationNetwork.ts';
import { assetsConcepts, liabilitiesAndEquityConcepts } from './structuralConcepts.ts';

/**
 * Candidate balance-sheet networks, best first: those with Assets or LiabilitiesAndStockholdersEquity among their
 * roots, by the number of nodes reported at the period; parenthetical and condensed-parent roles are left out
 * (M1.24). A network without a reported node is no candidate.
 */
export function balanceSheetNetworks(
  networks: readonly CalculationNetwork[],
  o: { roles: readonly LinkRole[]; sheet: FactSheet },
): CalculationNetwork[] {
  const definitions = new Map(o.roles.map((role) => [role.uri, role.definition ?? '']));
  const tops: readonly string[] = [...assetsConcepts, ...liabilitiesAndEquityConcepts];
  return networks
    .filter((network) => network.roots.some((root) => tops.includes(root)))
    .filter(({ role }) => !isOtherStatement(`${roleName(role)} ${definitions.get(role) ?? ''}`))
    .map((network) => ({ network, reported: network.concepts.filter(o.sheet.reports).length }))
    .filter(({ reported }) => reported > 0)
    .sort((a, b) => b.reported - a.reported || compareText(a.network.role, b.network.role))
    .map(({ network }) => network);
}

/** The last path segment of a role URI (M1.28). */
export function roleName(role: string): string {
  return (
    role
      .replace(/[/#]+$/, '')
      .split(/[/#]/)
      .at(-1) ?? role
  );
}

/** A parenthetical, or the condensed statement of the parent alone. */
function isOtherStatement(text: string): boolean {
  return /parenthetical|parent[\s-]*compan|parent[\s-]*only|registrant[\s-]*only|of[\s-]*(the[\s-]*)?(parent|registrant)/i.test(
    text,
  );
}
