import { grouped } from '../exact/grouped.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { RaisedDoubt, ReviewedIssuer, ReviewedRow } from './reviewedRow.ts';

/** What changed between two rows of an issuer for another reason than the issuer, or by more than is usual. */
export function movementDoubts(
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

/** An unproven ratio is no measure of a move. */
function ratioOf(before: ReviewedRow): Pick<RaisedDoubt, 'other'> {
  return before.basis === 'resolved' && before.crypto.sign > 0
    ? { other: { stress50: before.stress50 } }
    : {};
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
