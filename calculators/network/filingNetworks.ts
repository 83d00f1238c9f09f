import type { FactSheet } from '../filing/factSheet.ts';
import type { ConceptDeclaration, XbrlFiling } from '../filing/xbrlFiling.ts';
import { type BalanceSheetCandidate, balanceSheetCandidates } from './balanceSheetNetwork.ts';
import { type CalculationNetwork, calculationNetworks, type RejectedNetwork } from './calculationNetwork.ts';

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
