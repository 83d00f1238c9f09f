import { wordsOf } from '../network/conceptWords.ts';
import type { FaceFigure } from './faceParses.ts';

/**
 * Figures that may be printed inside the caption of the line after them, "contract assets, including retainage of 3,166":
 * smaller than that line, under a name with the same first word (M1.24c 3).
 */
export function partsOfNext(figures: readonly FaceFigure[]): readonly string[] {
  return figures.flatMap((figure, i) => {
    const next = figures[i + 1];
    if (next === undefined || figure.isTotal || next.isTotal) return [];
    const isSmaller = figure.value.sign > 0 && figure.value.compare(next.value) < 0;
    return isSmaller && wordsOf(figure.concept)[0] === wordsOf(next.concept)[0] ? [figure.concept] : [];
  });
}
