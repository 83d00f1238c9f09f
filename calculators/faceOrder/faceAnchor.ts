import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import { equityConcepts } from '../fundamentals/conceptPrecedence.ts';
import {
  assetsConcepts,
  isEquity,
  liabilitiesAndEquityConcepts,
  liabilitiesConcepts,
} from '../network/conceptNames.ts';
import type { FaceFigure } from './faceParses.ts';

export type FaceSideName = 'assets' | 'liabilities';

/** What a run has to end before and add up to (M1.24c 2). */
type FaceAnchor = {
  /** The total of the side, the root of its network. */
  readonly concept: string;
  /** The run ends directly before this figure. */
  readonly end: number;
  readonly target: ExactDecimal;
  /** Rounding of the filing at this total (M1.24c 4). */
  readonly tolerance: ExactDecimal;
  /** Liabilities are not filed: the target is the total with equity, less equity and mezzanine. */
  readonly isByEquity: boolean;
};

const mezzanine =
  /^us-gaap:(TemporaryEquityCarryingAmount|RedeemableNoncontrollingInterestEquityCarryingAmount)/;

/** The anchor of a side, or why the side has none. */
export function faceAnchor(input: {
  readonly side: FaceSideName;
  readonly figures: readonly FaceFigure[];
  readonly sheet: FactSheet;
}): FaceAnchor | { readonly reason: string } {
  const names: readonly string[] = input.side === 'assets' ? assetsConcepts : liabilitiesConcepts;
  const end = input.figures.findIndex(({ concept }) => names.includes(concept));
  const figure = input.figures[end];
  if (figure !== undefined) {
    const tolerance = roundingOf(input.sheet, figure.concept);
    return { concept: figure.concept, end, target: figure.value, tolerance, isByEquity: false };
  }
  if (input.side === 'assets') return { reason: 'total assets have no amount at the period end' };
  return equityAnchor(input);
}

function equityAnchor({
  figures,
  sheet,
}: {
  figures: readonly FaceFigure[];
  sheet: FactSheet;
}): FaceAnchor | { readonly reason: string } {
  const all = liabilitiesAndEquityConcepts.find((concept) => sheet.amount(concept) !== null);
  const total = all === undefined ? null : sheet.amount(all);
  const equity = sheet.firstAmount(equityConcepts);
  const end = figures.findIndex(({ concept }) => isEquity(concept));
  if (all === undefined || total === null || equity === null || end < 0) {
    return { reason: 'neither liabilities nor a total with equity to take it from is filed' };
  }
  const temporary = sumOf(figures.filter(({ concept }) => mezzanine.test(concept)).map(({ value }) => value));
  return {
    concept: liabilitiesConcepts[0],
    end,
    target: total.minus(equity).minus(temporary),
    tolerance: roundingOf(sheet, all),
    isByEquity: true,
  };
}

function roundingOf(sheet: FactSheet, concept: string): ExactDecimal {
  const entry = sheet.chosen(concept);
  const decimals = entry?.origin === 'instance' && entry.kind === 'fact' ? entry.fact.decimals : 0;
  const digits = typeof decimals === 'number' && Number.isInteger(decimals) ? decimals : 0;
  return Math.abs(digits) > 20 ? ExactDecimal.zero : ExactDecimal.parse(`1e${-digits}`);
}
