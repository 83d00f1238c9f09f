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
  /** Its definition says that its role is a disclosure or a schedule, as EDGAR sorts them (EFM 6.7.12). */
  readonly isDisclosure: boolean;
};

/** What put the chosen candidate before the next one. */
export type DecidingSignal = 'reported_nodes' | 'presentation' | 'presentation_of_fewer' | 'role_name';

/**
 * Candidate balance-sheet networks, best first: those with Assets or LiabilitiesAndStockholdersEquity among their
 * roots; parenthetical and condensed-parent roles are excluded (M1.24). Statements come before disclosures, then those that
 * the presentation shows as the whole statement, then by the number of nodes reported at the period: a schedule may break
 * the totals down further than the balance sheet does. A network without a reported node is no candidate.
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
      isDisclosure: isDisclosure(definitions.get(network.role) ?? ''),
    }))
    .filter(({ reported }) => reported > 0)
    .sort(
      (a, b) =>
        Number(a.isDisclosure) - Number(b.isDisclosure) ||
        Number(b.isPresented) - Number(a.isPresented) ||
        b.reported - a.reported ||
        compareText(a.network.role, b.network.role),
    );
}

/** What put the first of these ranked candidates before the second; reported nodes also where it stands alone. */
export function decidingSignal(ranked: readonly BalanceSheetCandidate[]): DecidingSignal {
  const [first, ...others] = ranked;
  if (first === undefined) return 'reported_nodes';
  if (others.some(({ reported }) => reported > first.reported)) return 'presentation_of_fewer';
  const tied = others.filter(({ reported }) => reported === first.reported);
  if (tied.length === 0) return 'reported_nodes';
  const isLike = (other: BalanceSheetCandidate) =>
    other.isPresented === first.isPresented && other.isDisclosure === first.isDisclosure;
  return tied.some(isLike) ? 'role_name' : 'presentation';
}

/** The end of a reason, where reported nodes did not decide alone; empty where they did. */
export function tieBreak(signal: DecidingSignal): string {
  switch (signal) {
    case 'reported_nodes':
      return '';
    case 'presentation':
      return '; of networks with equally many reported nodes, the one presented as the whole statement';
    case 'presentation_of_fewer':
      return '; the network of the balance sheet, though another one has more reported nodes';
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

/** `0000009 - Disclosure - Assets (Details)`; a statement is called so in the same place. */
function isDisclosure(definition: string): boolean {
  return /^\s*\S+\s+-\s+(Disclosure|Schedule)\s+-/i.test(definition);
}

/** A parenthetical, or the condensed statement of the parent alone. */
function isOtherStatement(text: string): boolean {
  return /parenthetical|parent[\s-]*compan|parent[\s-]*only|registrant[\s-]*only|of[\s-]*(the[\s-]*)?(parent|registrant)/i.test(
    text,
  );
}
