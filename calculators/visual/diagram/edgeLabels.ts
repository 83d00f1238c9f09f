import type { VisualContract } from '../../../data/contract/visual/visualContract.ts';
import { cleanText } from '../type/cleanText.ts';
import { measureText } from '../type/measureText.ts';
import type { Size } from './layout.ts';
import type { TextLine } from './nodeBoxes.ts';
import { lineHeight, type Settings } from './settings.ts';

/** Lines to set beside an edge and the box they need; null without a label. */
export type EdgeLabel = (Size & { readonly lines: readonly TextLine[] }) | null;

const sideSpace = 400;

/** The labels of all edges in input order: its own, then those of `labels` anchored to it (V15). */
export function edgeLabels({ edges, labels }: VisualContract, { quiet: style }: Settings): EdgeLabel[] {
  return edges.map(({ id, label = '' }) => {
    const anchored = labels.filter(({ anchor }) => anchor === id && id !== undefined);
    const lines = [label, ...anchored.map(({ text }) => text)]
      .map(cleanText)
      .filter((text) => text !== '')
      .map((text, part) => ({ text, style, width: measureText(text, style), part, cut: false }));
    if (lines.length === 0) return null;
    const widest = Math.max(...lines.map(({ width }) => width));
    return { lines, w: widest + 2 * sideSpace, h: lines.length * lineHeight(style) + 200 };
  });
}
