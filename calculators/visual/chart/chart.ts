import type { Scene } from '../scene/scene.ts';

/** Figures as a table (V38): its caption, columns and rows of finished text. */
export type FigureTable = {
  readonly caption: string;
  readonly columns: readonly { readonly label: string; readonly align: 'start' | 'end' }[];
  readonly rows: readonly (readonly string[])[];
};

/** A finished chart: one finding, its picture and the same figures as a table (V38, V39). */
export type Chart = {
  /** In kebab case: `tier-bars`. */
  readonly id: string;
  /** Names the thing: the `<title>` of the SVG. */
  readonly title: string;
  /** The heading of its card: states what was found. */
  readonly finding: string;
  /** One sentence below the heading. */
  readonly sentence: string;
  /** The figures in words: the `<desc>` of the SVG. */
  readonly desc: string;
  readonly scene: Scene;
  readonly table: FigureTable;
};

/** Width of a chart in whole px: 360 serves a phone, a column and half an A4 page, an analyst asks for up to 1600. */
export const chartWidths = { base: 360, least: 360, most: 1_600 } as const;
