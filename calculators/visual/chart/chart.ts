import { dayNumber } from '../../../data/contract/values/instant.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { Scene, TextItem } from '../scene/scene.ts';
import { cleanText } from '../type/measureText.ts';
import { wrapText } from '../type/wrapText.ts';
import { label, styles } from './chartPen.ts';
import { countText } from './figures.ts';

/** Figures as a table (V38): its caption, columns and rows of finished text. */
export type FigureTable = {
  readonly caption: string;
  readonly columns: readonly { readonly label: string; readonly align: 'start' | 'end' }[];
  readonly rows: readonly (readonly string[])[];
  /** What the table counts or rounds, as published, to take along with the unit of it; absent: the finished text is taken. */
  readonly raw?: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (string | number | null)[])[];
    readonly unit: string;
  };
};

type Cell = string | number | null;
type MemberOf<Row> = { [K in keyof Row & string]: Row[K] extends Cell ? K : never }[keyof Row & string];

/** A column of a table: what it is of, how it is printed, and under which name it is taken along. */
type Column<Row> = {
  /** Heading of a column of words, or of figures; one without any is only taken along. */
  readonly words?: string;
  readonly figures?: string;
  readonly of: MemberOf<Row> | ((row: Row) => Cell);
  /** Writes its numbers. */
  readonly as?: (value: number) => string;
  /** Writes its cells where they say more than their figure. */
  readonly text?: (row: Row) => string;
  /** What stands for null, where it is not the word of the table. */
  readonly none?: string;
  /** By default the member that it is of. */
  readonly name?: string;
};

/** A table of rows, each column stated once for print and for CSV, the latter where it has a `unit`. */
export function figureTable<Row>({
  caption,
  rows,
  columns,
  none = 'none',
  unit,
}: {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Stands for null. */
  readonly none?: string;
  readonly unit?: string;
}): FigureTable {
  const figureOf = (row: Row, { of }: Column<Row>): Cell =>
    typeof of === 'function' ? of(row) : (row[of] as Cell);
  const printed = (row: Row, one: Column<Row>): string => {
    if (one.text !== undefined) return one.text(row);
    const value = figureOf(row, one);
    if (value === null) return one.none ?? none;
    return typeof value === 'number' && one.as !== undefined ? one.as(value) : String(value);
  };
  const shown = columns.filter(({ words, figures }) => words !== undefined || figures !== undefined);
  const taken = columns.filter(({ of, name }) => name !== undefined || typeof of === 'string');
  return {
    caption,
    columns: shown.map(({ words, figures = '' }) =>
      words === undefined ? { label: figures, align: 'end' } : { label: words, align: 'start' },
    ),
    rows: rows.map((row) => shown.map((one) => printed(row, one))),
    ...(unit !== undefined && {
      raw: {
        columns: taken.map(({ of, name }) => name ?? String(of)),
        rows: rows.map((row) => taken.map((one) => figureOf(row, one))),
        unit,
      },
    }),
  };
}

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
  /** Its picture is words that say why there is none. */
  readonly isEmpty?: true;
};

const lineHeight: Cpx = 1_600;

/** A note below a chart, wrapped to its width (V39): the first baseline lies a line below `top`. */
export function noteLines(
  text: string,
  { top, width }: { top: Cpx; width: Cpx },
): { items: TextItem[]; bottom: Cpx } {
  const { lines } = wrapText(cleanText(text), { ...styles.small, max: width });
  return {
    items: lines.map((line, i) => label({ text: line, x: 0, baseline: top + 1_300 + i * lineHeight })),
    bottom: top + 300 + lines.length * lineHeight,
  };
}

/**
 * How a chart says that what it draws rests on made-up observations (flag `synthetic`): below a name, in a table or a
 * description, under the picture (V39a). Not the word of the flag alone: baskets are synthetic products, too.
 */
export const madeUp = {
  detail: 'made up',
  observations: 'made-up observations',
  note: 'Made up: synthetic observations for a demonstration, of no market.',
} as const;

/** A finding, which says itself that it is of made-up observations (V39). */
export const findingOn = (finding: string, isMadeUp: boolean): string =>
  isMadeUp ? `${finding} (${madeUp.detail})` : finding;

/** The balance sheet that a slice of an issuer rests on; ISO dates. */
export type SheetOfSlice = { readonly period: string; readonly sourceDate: string };

/** How old it is: `Balance sheet of 2025-09-30, 130 days before the slice of 2026-02-07.` */
export function sheetAgeText({ period, sourceDate }: SheetOfSlice): string {
  const days = dayNumber(sourceDate) - dayNumber(period);
  const age = days === 1 ? '1 day' : `${countText(days)} days`;
  return `Balance sheet of ${period}, ${age} before the slice of ${sourceDate}.`;
}

/**
 * A chart of one issuer that says in its sentence and its description how old the balance sheet is (V39b).
 *
 * @param sheet null where the warehouse has no slice of the issuer
 */
export function withSheetAge(chart: Chart, sheet: SheetOfSlice | null): Chart {
  if (sheet === null) return chart;
  const text = sheetAgeText(sheet);
  const ended = /[.!?]$/.test(chart.desc) ? chart.desc : `${chart.desc}.`;
  return { ...chart, sentence: `${chart.sentence} ${text}`, desc: `${ended} ${text}` };
}

/** A scene at its own size. */
export function sceneOf({ width, height, items }: Pick<Scene, 'width' | 'height' | 'items'>): Scene {
  return { width, height: Math.ceil(height / 100) * 100, scale: 1_000_000, items };
}

/** A chart without figures: the words that say why are its picture and its description. Width in px. */
export function emptyChart(
  head: Pick<Chart, 'id' | 'title' | 'table'>,
  width: number,
  { words, ...told }: Pick<Chart, 'finding' | 'sentence'> & { readonly words: string },
): Chart {
  return { ...head, ...told, desc: words, scene: emptyScene(words, width), isEmpty: true };
}

function emptyScene(words: string, width: number): Scene {
  const { lines } = wrapText(cleanText(words), { ...styles.base, max: width * 100 });
  return sceneOf({
    width: width * 100,
    height: 2_400 + lines.length * 1_700,
    items: lines.map((text, i) => label({ text, x: 0, baseline: 2_300 + i * 1_700, style: styles.base })),
  });
}
