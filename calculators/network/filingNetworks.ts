import { compareText } from '../../data/contract/values/compareText.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { ConceptDeclaration, LinkRole, Presentation, XbrlFiling } from '../filing/xbrlFiling.ts';
import { type CalculationNetwork, calculationNetworks, type RejectedNetwork } from './calculationNetwork.ts';
import { assetsConcepts, liabilitiesAndEquityConcepts } from './conceptNames.ts';

/** The calculation linkbase of one filing as the walks read it (M1.11–M1.15, M1.24). */
export type FilingNetworks = {
  /** Balance-sheet candidates, best first; empty when the linkbase is of no use. */
  readonly balanceSheets: readonly CalculationNetwork[];
  /** The same with what they are ranked by. */
  readonly candidates: readonly BalanceSheetCandidate[];
  /** Every usable network, by role. */
  readonly all: readonly CalculationNetwork[];
  readonly rejected: readonly RejectedNetwork[];
  readonly arcCount: number;
  /** The filing's own concepts by QName. */
  readonly declarations: ReadonlyMap<string, ConceptDeclaration>;
};

/** Reads the networks of a filing; without files there are none. */
export function filingNetworks(filing: XbrlFiling | null, sheet: FactSheet): FilingNetworks {
  const { networks, rejected, arcCount } = calculationNetworks(filing?.arcs ?? []);
  const { roles, presentations } = filing ?? { roles: [], presentations: [] };
  const candidates = balanceSheetCandidates(networks, { roles, presentations, sheet });
  return {
    balanceSheets: candidates.map(({ network }) => network),
    candidates,
    all: networks,
    rejected,
    arcCount,
    declarations: new Map((filing?.concepts ?? []).map((declared) => [declared.concept, declared])),
  };
}

/** A candidate and what it is ranked by. */
type BalanceSheetCandidate = {
  readonly network: CalculationNetwork;
  /** Nodes reported at the period. */
  readonly reported: number;
  /** The presentation shows its role as the statement of both assets and liabilities with equity. */
  readonly isPresented: boolean;
};

/** What put the chosen candidate before the next one. */
export type DecidingSignal = 'reported_nodes' | 'presentation' | 'role_name';

/**
 * Candidate balance-sheet networks, best first: those with Assets or LiabilitiesAndStockholdersEquity among their
 * roots, by the number of nodes reported at the period; parenthetical and condensed-parent roles are excluded
 * (M1.24). Of those with equally many, one that the presentation shows as the whole statement comes first. A network
 * without a reported node is no candidate.
 */
function balanceSheetCandidates(
  networks: readonly CalculationNetwork[],
  {
    roles,
    presentations,
    sheet,
  }: { roles: readonly LinkRole[]; presentations: readonly Presentation[]; sheet: FactSheet },
): BalanceSheetCandidate[] {
  const definitions = new Map(roles.map((role) => [role.uri, role.definition ?? '']));
  const presented = new Set(presentations.filter(isWholeStatement).map(({ role }) => role));
  const tops: readonly string[] = [...assetsConcepts, ...liabilitiesAndEquityConcepts];
  return networks
    .filter((network) => network.roots.some((root) => tops.includes(root)))
    .filter(({ role }) => !isOtherStatement(`${roleName(role)} ${definitions.get(role) ?? ''}`))
    .map((network) => ({
      network,
      reported: network.concepts.filter(sheet.reports).length,
      isPresented: presented.has(network.role),
    }))
    .filter(({ reported }) => reported > 0)
    .sort(
      (a, b) =>
        b.reported - a.reported ||
        Number(b.isPresented) - Number(a.isPresented) ||
        compareText(a.network.role, b.network.role),
    );
}

/** What put the first of these ranked candidates before the second; reported nodes also where it stands alone. */
export function decidingSignal(ranked: readonly BalanceSheetCandidate[]): DecidingSignal {
  const [first, second] = ranked;
  if (second === undefined || first?.reported !== second.reported) return 'reported_nodes';
  return first.isPresented === second.isPresented ? 'role_name' : 'presentation';
}

/** The end of a reason, where reported nodes did not decide alone; empty where they did. */
export function tieBreak(signal: DecidingSignal): string {
  switch (signal) {
    case 'reported_nodes':
      return '';
    case 'presentation':
      return '; of networks with equally many reported nodes, the one presented as the whole statement';
    case 'role_name':
      return '; of networks with equally many reported nodes, the first by role name';
  }
}

function isWholeStatement({ concepts }: Presentation): boolean {
  const shown = new Set(concepts);
  return [assetsConcepts, liabilitiesAndEquityConcepts].every((side) => side.some((top) => shown.has(top)));
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
