import { compareText } from '../../../data/contract/values/compareText.ts';
import { isSubsequentMember, localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { daysBetween } from '../../exact/civilDate.ts';
import type { Dimension, TermFact } from '../../filing/xbrlFiling.ts';
import type { Split } from './shares.ts';
import type { FactIndex } from './statedFigure.ts';

const ratioConcept = 'StockholdersEquityNoteStockSplitConversionRatio1';
const textConcept = /^StockholdersEquity(?:Note)?(Reverse)?StockSplit$/;
const oneRatio = /^(\d+(?:\.\d+)?)\s*(?:-|–)?\s*(?:for|:)\s*(?:-|–)?\s*(\d+(?:\.\d+)?)(?=\D|$)/i;
/** A context of more days does not say when the split was. */
const dayMax = 5;
/** The board's decision and the day it takes effect are two dates of one split. */
const sameSplitDays = 120;
/** An exchange of shares in a merger, a dividend in stock: no split of the market's closes. */
const noSplit = { low: 0.8, high: 1.25 };

/** The splits of common stock a filing states, in numbers or in words such as `1-for-20` (M18.44). */
export function filedSplits(index: FactIndex, terms: readonly TermFact[]): readonly Split[] {
  const words = terms.flatMap((term) => {
    const form = textConcept.exec(localName(term.concept));
    const ratio = form === null ? null : ratioOfText(term.value);
    return form === null || ratio === null || !isOfCommon(term)
      ? []
      : [{ ...term, ratio, isReverse: form[1] !== undefined }];
  });
  const stated = words.map(({ end, ratio, isReverse }) => ({
    date: end,
    ratio: isReverse && ratio > 1 ? 1 / ratio : ratio,
  }));
  const numbers = index(ratioConcept)
    .filter(isOfCommon)
    .map(({ end, value }) => {
      const ratio = value.toNumber();
      // some filers write a reverse split of eight as 8, some as 0.125
      const isReverse = words.some(
        (word) => word.isReverse && [ratio, 1 / ratio].some((r) => isSame(r, word.ratio)),
      );
      return { date: end, ratio: isReverse && ratio > 1 ? 1 / ratio : ratio };
    });
  return distinctSplits([...numbers, ...stated].map((split) => ({ ...split, source: 'fact' as const })));
}

/** New shares for one old by a text that states one ratio: `3 for 1`, `1-for-20`; null for a range and for no ratio. */
export function ratioOfText(text: string): number | null {
  const match = oneRatio.exec(text.trim());
  if (match === null || /\d/.test(text.trim().slice(match[0].length))) return null;
  const [, newShares = '', oldShares = ''] = match;
  const ratio = Number(newShares) / Number(oldShares);
  return Number.isFinite(ratio) && ratio > 0 ? ratio : null;
}

/** Each split once: rows of the registry first, of several dates of one ratio the last. */
export function distinctSplits(splits: readonly Split[]): readonly Split[] {
  const ordered = splits
    .filter(({ ratio }) => ratio > 0 && (ratio < noSplit.low || ratio > noSplit.high))
    .toSorted(
      (a, b) =>
        Number(b.source === 'registry') - Number(a.source === 'registry') || compareText(b.date, a.date),
    );
  const kept: Split[] = [];
  for (const split of ordered) {
    const isKnown = kept.some(
      (one) => isSame(one.ratio, split.ratio) && Math.abs(daysBetween(one.date, split.date)) <= sameSplitDays,
    );
    if (!isKnown) kept.push(split);
  }
  return kept.sort((a, b) => compareText(a.date, b.date));
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a / b - 1) < 0.001;
}

/** On one day, of the whole entity or a common class; an event after the period end counts. */
function isOfCommon({ start, end, dimensions }: Pick<StatedFact, 'start' | 'end' | 'dimensions'>): boolean {
  const isOneDay = start === null || daysBetween(start, end) <= dayMax;
  return (
    isOneDay && dimensions.every((dimension) => isSubsequentMember(dimension) || isCommonClass(dimension))
  );
}

function isCommonClass({ axis, member }: Dimension): boolean {
  return /:Statement(ClassOfStock|EquityComponents)Axis$/.test(axis) && /Common/.test(localName(member));
}
