import {
  type FigureDoubt,
  type FigureReach,
  figureReaches,
} from '../../data/contract/payloads/audit/figuresToCheck.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { grouped } from '../exact/decimals.ts';
import { published } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { stressBand, stressRatio, stressTiers } from '../stress/stressRatio.ts';
import type { TrailCheck, TrailTotal } from '../trail/resolutionTrail.ts';
import { closeNotes, noteDoubts } from './noteDoubts.ts';
import type { RaisedDoubt, ReviewedIssuer, ReviewedRow } from './reviewedRow.ts';

/**
 * The figures of a slice that an analyst should check first: rival totals, residuals, implied interest, breaks of
 * method, jumps of the share of coins, and what else the notes of a row question (M13.11).
 *
 * Ordered by what they could do if they are wrong: give another tier, effect not known, move the ratio inside its tier,
 * nothing because the row has no tier by right; then by tiers and ratio moved, what is not known last. A missing or
 * refused close is reported once for all its rows.
 */
export function figureDoubts(issuers: readonly ReviewedIssuer[], parameters: Parameters): FigureDoubt[] {
  return oncePerClose(issuers.flatMap((issuer) => doubtsOf(issuer, parameters)).toSorted(byReach));
}

/** A close that many rows had to do without is one doubt, reported for the row it could affect most. */
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
  const raised = [
    ...noteDoubts(now, parameters),
    ...trailDoubts(now),
    ...movementDoubts(issuer, parameters),
    ...recordDoubts(issuer),
  ];
  const doubts = raised.map((doubt) => ({ doubt, held: held(doubt, now, parameters) }));
  const isExplained = ({ figure }: RaisedDoubt) =>
    doubts.some(
      ({ doubt, held }) => doubt.figure === figure && !doubt.isRest && held.reach === 'another_tier',
    );
  return doubts.flatMap(({ doubt, held }) => (doubt.isRest && isExplained(doubt) ? [] : [held]));
}

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

/** What the failed checks of a row's trail question, beside what its notes say already. */
function trailDoubts(row: ReviewedRow): RaisedDoubt[] {
  return (row.trail?.ratio.children ?? []).flatMap((total) =>
    total.checks
      .filter(({ result }) => result === 'fail')
      .flatMap((check) => checkDoubt(check, { total, row })),
  );
}

function checkDoubt(
  { check, detail }: TrailCheck,
  { total, row }: { readonly total: TrailTotal; readonly row: ReviewedRow },
): RaisedDoubt[] {
  const figure = total.side === 'debt' ? 'debt' : 'coins';
  switch (check) {
    case 'M1.31-M1.34':
      return [{ figure, kind: 'debt_identity', finding: detail }];
    case 'M1.18b':
      return residual(detail, row);
    case 'M1.37b':
      return row.notes.some((note) => note.startsWith('implied_interest:'))
        ? []
        : [{ figure, kind: 'implied_interest', finding: detail, isProof: true }];
    default:
      // the other rules have notes with their amounts; what remains are totals against their items
      return check.includes(':')
        ? [{ figure, kind: 'calculation_residual', finding: `${check}: ${detail}` }]
        : [];
  }
}

const aboveItems = /^(\S+) of (\S+) is (-?[\d.]+) above its items$/;

/** A total of the liabilities that its items do not add up to; what is above them could be debt (M1.18b). */
function residual(detail: string, row: ReviewedRow): RaisedDoubt[] {
  const [, concept = '', total = '', open = ''] = aboveItems.exec(detail) ?? [];
  const amount = ExactDecimal.tryParse(open);
  const filed = ExactDecimal.tryParse(total);
  // the note of the row reports it
  if (row.notes.includes(`liabilities_residual:${open}`)) return [];
  const raised = { figure: 'debt' as const, kind: 'calculation_residual' };
  if (amount === null || filed === null) return [{ ...raised, finding: detail }];
  const of = `${concept} of ${grouped(filed)}`;
  if (amount.sign <= 0) {
    return [{ ...raised, finding: `the items of ${of} are ${grouped(amount.negated())} more than it` }];
  }
  const finding = `${of} is ${grouped(amount)} above its items`;
  return [{ ...raised, finding, other: { debt: row.debt.plus(amount) } }];
}

/** What was published and a later filing contradicts: the rules that read it read the row of today (M12.18). */
function recordDoubts({ contradicted }: ReviewedIssuer): RaisedDoubt[] {
  return contradicted.map(({ figure, period, finding }) => ({
    figure,
    kind: 'record_contradicted',
    finding: `of ${period} ${finding}`,
  }));
}

/** What changed between two rows of an issuer for another reason than the issuer, or by more than is usual. */
function movementDoubts(
  { now, earlierFiling, nightBefore }: ReviewedIssuer,
  parameters: Parameters,
): RaisedDoubt[] {
  return [
    ...(earlierFiling === null
      ? []
      : [...methodBreaks(now, earlierFiling), ...shareJump(now, earlierFiling, parameters)]),
    ...(nightBefore === null ? [] : methodChange(now, nightBefore)),
  ];
}

/** Two filings of one issuer whose debt or coins come from different kinds of evidence. */
function methodBreaks(now: ReviewedRow, before: ReviewedRow): RaisedDoubt[] {
  const sides = [
    { figure: 'debt', index: 0, amount: now.debt, earlier: before.debt },
    { figure: 'coins', index: 1, amount: now.crypto, earlier: before.crypto },
  ] as const;
  return sides.flatMap(({ figure, index, amount, earlier }) => {
    const source = evidenceOf(now, index);
    const was = evidenceOf(before, index);
    if (source === null || was === null || source === was) return [];
    const finding =
      `${grouped(amount)} of ${figure} comes from ${source}, ` +
      `the ${grouped(earlier)} of ${before.period} from ${was}`;
    return [{ figure, kind: 'method_break', finding, ...ratioOf(before) }];
  });
}

/** Linkbase, document order or single facts; null without a trail or where the side found nothing. */
function evidenceOf({ trail }: ReviewedRow, index: 0 | 1): string | null {
  const total = trail?.ratio.children[index];
  // that there are no coins is no reading of an amount
  if (total === undefined || total.method === null || total.method === 'proven_absence') return null;
  if (total.dataSource !== 'direct_facts_fallback') return 'the calculation linkbase';
  const rung = total.rungs.find(({ taken }) => taken)?.rung ?? '';
  return total.face !== undefined || /face_order/.test(`${total.method} ${rung}`)
    ? 'document order'
    : 'single facts';
}

/** Coins as a share of assets that moved by as much as makes coins the core of an issuer (M3.25). */
function shareJump(now: ReviewedRow, before: ReviewedRow, { treasuryRelevance }: Parameters): RaisedDoubt[] {
  if (now.share === null || before.share === null) return [];
  if (Math.abs(now.share - before.share) < treasuryRelevance.core) return [];
  const finding = `coins are ${percent(now.share)} of assets, ${percent(before.share)} on ${before.period}`;
  return [{ figure: 'share', kind: 'share_jump', finding, ...ratioOf(before) }];
}

/** One filing that two nights read differently: the method moved, not the issuer (M13.2). */
function methodChange(now: ReviewedRow, before: ReviewedRow): RaisedDoubt[] {
  if (before.accession !== now.accession || before.method === now.method) return [];
  const finding = (name: string, is: string, was: string) =>
    `${name} ${is} by ${now.method}, ${was} by ${before.method} on ${before.sourceDate}: the same filing`;
  const raised = { kind: 'method_changed', ...ratioOf(before) };
  return [
    ...(now.debt.equals(before.debt)
      ? []
      : [
          {
            ...raised,
            figure: 'debt' as const,
            finding: finding('debt', grouped(now.debt), grouped(before.debt)),
          },
        ]),
    ...(now.crypto.equals(before.crypto)
      ? []
      : [
          {
            ...raised,
            figure: 'coins' as const,
            finding: finding('coins', grouped(now.crypto), grouped(before.crypto)),
          },
        ]),
    ...(now.riskTier === before.riskTier
      ? []
      : [{ ...raised, figure: 'tier' as const, finding: finding('tier', now.riskTier, before.riskTier) }]),
  ];
}

function ratioOf(before: ReviewedRow): Pick<RaisedDoubt, 'other'> {
  return before.basis === 'resolved' && before.crypto.sign > 0
    ? { other: { stress50: before.stress50 } }
    : {};
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
