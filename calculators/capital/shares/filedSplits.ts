import { isSubsequentMember, localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { daysBetween } from '../../exact/civilDate.ts';
import type { Dimension, TermFact } from '../../filing/xbrlFiling.ts';
import { distinctSplits, isSameRatio, type Split } from '../../prices/splits.ts';
import type { FactIndex } from './statedFigure.ts';

const ratioConcept = 'StockholdersEquityNoteStockSplitConversionRatio1';
const textConcept = /^StockholdersEquity(?:Note)?(Reverse)?StockSplit$/;
const oneRatio = /^(\d+(?:\.\d+)?)\s*(?:-|–)?\s*(?:for|:)\s*(?:-|–)?\s*(\d+(?:\.\d+)?)(?=\D|$)/i;
/** A context of more days does not say when the split was. */
const dayMax = 5;

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
        (word) => word.isReverse && [ratio, 1 / ratio].some((r) => isSameRatio(r, word.ratio)),
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
