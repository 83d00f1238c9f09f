import type { FactSheet } from '../factSheet.ts';
import type { ConceptDeclaration, XbrlFiling } from '../xbrlFiling.ts';
import { balanceSheetNetworks } from './balanceSheetNetwork.ts';
import { type CalculationNetwork, calculationNetworks, type RejectedNetwork } from './calculationNetwork.ts';

/** The calculation linkbase of one filing as the walks read it (M1.11–M1.15, M1.24). */
export type FilingNetworks = {
  /** Balance-sheet candidates, best first; empty when the linkbase is of no use. */
  readonly balanceSheets: readonly CalculationNetwork[];
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
  return {
    balanceSheets: balanceSheetNetworks(networks, { roles: filing?.roles ?? [], sheet }),
    all: networks,
    rejected,
    arcCount,
    declarations: new Map((filing?.concepts ?? []).map((declared) => [declared.concept, declared])),
  };
}
