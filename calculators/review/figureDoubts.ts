import {
  type FigureDoubt,
  type FigureReach,
  figureReaches,
} from '../../data/contract/payloads/audit/figuresToCheck.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { published } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { stressBand, stressTiers } from '../stress/bands.ts';
import { stressRatio } from '../stress/stressRatio.ts';
import { movementDoubts } from './movementDoubts.ts';
import { closeNotes, noteDoubts } from './noteDoubts.ts';
import type { RaisedDoubt, ReviewedIssuer, ReviewedRow } from './reviewedRow.ts';
import { trailDoubts } from './trailDoubts.ts';

/**
 * The figures of a slice that an analyst should look at first: rival totals, residuals, implied interest, breaks of
 * method, jumps of the share of coins, and what else the notes of a row question (M13.11).
 *
 * Ordered by what they could do if they are wrong: give another tier, effect not known, move the ratio inside its tier,
 * nothing because the row has no tier by right; then by tiers and ratio moved, what is not known last. A missing or
 * refused close is told once for all its rows.
 */
export function figureDoubts(issuers: readonly ReviewedIssuer[], parameters: Parameters): FigureDoubt[] {
  return oncePerClose(issuers.flatMap((issuer) => doubtsOf(issuer, parameters)).toSorted(byReach));
}

/** A close that many rows had to do without is one doubt, told of the row it could do most to. */
function oncePerClose(doubts: readonly FigureDoubt[]): FigureDoubt[] {
  const byClose = Map.groupBy(doubts, ({ kind, finding }) => (closeNotes.includes(kind) ? finding : null));
  return doubts.flatMap((doubt) => {
    if (!closeNotes.includes(doubt.kind)) return [doubt];
    const [first, ...others] = byClose.get(doubt.finding) ?? [];
    if (first !== doubt) return [];
    return [others.length === 0 ? doubt : { ...doubt, also_concerns: others.map(({ ticker }) => ticker) }];
  });
}

function doubtsOf(issuer: ReviewedIssuer, parameters: Parameters): FigureDoubt[] {
  const { now } = issuer;
  const raised = [...noteDoubts(now, parameters), ...trailDoubts(now), ...movementDoubts(issuer, parameters)];
  const doubts = raised.map((doubt) => ({ doubt, held: held(doubt, now, parameters) }));
  const isExplained = ({ figure }: RaisedDoubt) =>
    doubts.some(
      ({ doubt, held }) => doubt.figure === figure && !doubt.isRest && held.reach === 'another_tier',
    );
  return doubts.flatMap(({ doubt, held }) => (doubt.isRest && isExplained(doubt) ? [] : [held]));
}

/** Holds a doubt against the published ratio and its band. */
function held(doubt: RaisedDoubt, row: ReviewedRow, parameters: Parameters): FigureDoubt {
  const { figure, kind, finding } = doubt;
  const other = otherStress(doubt, row, parameters);
  const band = stressBand(row.stress50, parameters);
  const otherBand = other === null ? null : stressBand(other, parameters);
  return {
    ticker: row.ticker,
    cik: row.cik,
    period: row.period,
    figure,
    kind,
    finding,
    reach: reachOf(doubt, { row, moves: otherBand === null ? null : otherBand !== band }),
    risk_tier: row.riskTier,
    stress_50pct: row.stress50,
    band,
    other_stress_50pct: other,
    other_band: otherBand,
    explain: `issuer explain ${row.ticker} --source-date ${row.sourceDate}`,
  };
}

function otherStress(
  { other }: RaisedDoubt,
  { debt, crypto }: ReviewedRow,
  parameters: Parameters,
): number | null {
  if (other === undefined) return null;
  if ('stress50' in other) return other.stress50;
  return published(stressRatio({ debt, crypto, ...other }, 0.5, parameters), 6);
}

function reachOf(
  { figure, isProof = false }: RaisedDoubt,
  { row, moves }: { readonly row: ReviewedRow; readonly moves: boolean | null },
): FigureReach {
  const isAtCost = row.notes.some((note) => note.startsWith('tier_at_most:'));
  const isOpen = row.basis !== 'resolved' || isAtCost;
  // incidental coins, none, a vehicle, a filing too old
  if (row.riskTier === 'UNCLASSIFIED' && !isOpen) return 'no_tier';
  const isWhy = isProof && isOpen && (figure === 'tier' ? isAtCost : isUnproven(row, figure));
  if (isWhy || moves === true) return 'another_tier';
  return moves === null ? 'unknown' : 'same_tier';
}

function isUnproven({ basis }: ReviewedRow, figure: FigureDoubt['figure']): boolean {
  const side = figure === 'debt' ? 'debt' : 'crypto';
  return basis === `${side}_unproven` || basis === 'both_unproven';
}

function byReach(a: FigureDoubt, b: FigureDoubt): number {
  return (
    figureReaches.indexOf(a.reach) - figureReaches.indexOf(b.reach) ||
    tiersMoved(b) - tiersMoved(a) ||
    ratioMoved(b) - ratioMoved(a) ||
    compareText(a.ticker, b.ticker) ||
    compareText(a.cik, b.cik) ||
    compareText(a.figure, b.figure) ||
    compareText(a.kind, b.kind) ||
    compareText(a.finding, b.finding)
  );
}

function tiersMoved({ band, other_band: other }: FigureDoubt): number {
  return other === null ? -1 : Math.abs(stressTiers.indexOf(other) - stressTiers.indexOf(band));
}

function ratioMoved({ stress_50pct: ratio, other_stress_50pct: other }: FigureDoubt): number {
  return other === null ? -1 : Math.abs(other - ratio);
}
