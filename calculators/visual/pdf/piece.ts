import type { Chart } from '../chart/chart.ts';
import type { Cpx } from '../geometry/cpx.ts';
import type { DrawnText } from './pdfPen.ts';

/** What is never cut: a heading, a paragraph, a picture, a row, an item. Places are counted from its top left corner. */
export type Piece = {
  readonly height: Cpx;
  /** Room above it, where something stands above it in its column. */
  readonly before: Cpx;
  /** Whether it may not be the last of its column (V64). */
  readonly keepsNext: boolean;
} & PieceContent;

export type PieceContent =
  | { readonly kind: 'text'; readonly tag: 'H1' | 'H2' | 'P'; readonly lines: readonly DrawnText[] }
  | { readonly kind: 'figure'; readonly chart: Chart; readonly scale: number }
  /** Begins a table. */
  | { readonly kind: 'caption'; readonly lines: readonly DrawnText[] }
  | {
      readonly kind: 'row';
      readonly head: boolean;
      readonly cells: readonly (readonly DrawnText[])[];
      readonly width: Cpx;
    }
  /** Figures side by side between two lines. */
  | { readonly kind: 'facts'; readonly facts: readonly (readonly DrawnText[])[]; readonly width: Cpx }
  /** Items that follow each other are one list. */
  | { readonly kind: 'item'; readonly label: readonly DrawnText[]; readonly body: readonly DrawnText[] };

/** Pieces that belong together below one rule. */
export type Group = { readonly pieces: readonly Piece[]; readonly width: Cpx };
