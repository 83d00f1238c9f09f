import type { Chart } from '../chart/chart.ts';
import type { Cpx } from '../geometry/rect.ts';
import { capHeight } from '../scene/pen.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { cleanText, measureText, type TextStyle } from '../type/measureText.ts';
import { breakLines, wrapText } from '../type/wrapText.ts';
import type { DrawnText } from './pdfPen.ts';

/** A piece on its page. */
export type Placed = {
  readonly piece: Piece;
  readonly x: Cpx;
  readonly y: Cpx;
  /** Which group it is of, counted in reading order. */
  readonly group: number;
  /** A heading or the header of a table once more, above what goes on in another column. */
  readonly repeated: boolean;
};
export type Page = { readonly placed: readonly Placed[]; readonly rules: readonly Rule[] };
/** The line above a group. */
export type Rule = { readonly x: Cpx; readonly y: Cpx; readonly width: Cpx };

/** The room for content on a page: full width, or columns side by side. */
export type Frame = {
  readonly top: Cpx;
  readonly bottom: Cpx;
  readonly left: Cpx;
  readonly columns: readonly { readonly x: Cpx; readonly width: Cpx }[];
  /** How far below the bottom the last line may reach, so that it never stands alone on a page. */
  readonly hang: Cpx;
};

const groupGap: Cpx = 2_600;
const leastGap: Cpx = 600;
const belowRule: Cpx = 900;
/** The share of a column that has to be free for a group that is cut anyway to begin there. */
const worthBeginning = 0.35;
/** The share of a page that stays filled where a table is not cut. */
const wellFilled = 0.6;

/**
 * Sets groups on pages in reading order (V64). A group goes uncut to the column that is filled least; one that is taller
 * than a page is cut between pieces, and so is one that would leave more than a third of a column empty though it can
 * begin there. It is cut before its table where that leaves the page well filled, else between rows; heading and header
 * of the table are repeated.
 *
 * @param front stands across the first page, `end` across the last
 */
export function flow(
  { front, groups, end }: { readonly front: Group; readonly groups: readonly Group[]; readonly end: Group },
  frame: Frame,
): Page[] {
  const pages: { placed: Placed[]; rules: Rule[] }[] = [];
  let filled: Cpx[] = [];
  const room = frame.bottom - frame.top;

  const turn = () => {
    const page = { placed: [], rules: [] };
    pages.push(page);
    filled = frame.columns.map(() => frame.top);
    return page;
  };
  const page = () => pages.at(-1) ?? turn();
  const across = (group: Group, number: number) => {
    const left = frame.bottom + frame.hang - Math.max(...filled) - heightOf(group.pieces);
    if (Math.max(...filled) > frame.top && left < leastGap) turn();
    const end = Math.max(...filled);
    const y = end === frame.top ? end : end + Math.min(groupGap, left);
    const bottom = set(group.pieces, { x: frame.left, y, number });
    filled = frame.columns.map(() => bottom);
  };
  const startOf = (column: number): Cpx => {
    const at = filled[column] ?? frame.bottom;
    return (at === frame.top ? at : at + groupGap) + belowRule;
  };
  const xOf = (column: number): Cpx => frame.columns[column]?.x ?? 0;
  const ruled = (column: number, width: Cpx) => {
    page().rules.push({ x: xOf(column), y: startOf(column) - belowRule, width });
  };
  const leastFilled = () => filled.indexOf(Math.min(...filled));

  const isWorth = (column: number) => frame.bottom - startOf(column) >= room * worthBeginning;
  const fits = (pieces: readonly Piece[]) => startOf(leastFilled()) + heightOf(pieces) <= frame.bottom;
  const canBegin = ({ pieces }: Group) => isWorth(leastFilled()) && fits(keptTogether(pieces)[0] ?? []);

  const uncut = (group: Group, number: number) => {
    if (!fits(group.pieces)) turn();
    const column = leastFilled();
    ruled(column, group.width);
    filled[column] = set(group.pieces, { x: xOf(column), y: startOf(column), number });
  };
  const set = (
    pieces: readonly Piece[],
    { x, y, number, repeated = false }: { x: Cpx; y: Cpx; number: number; repeated?: boolean },
  ): Cpx => {
    let at = y;
    for (const [i, piece] of pieces.entries()) {
      at += i === 0 || repeated ? 0 : piece.before;
      page().placed.push({ piece, x, y: at, group: number, repeated });
      at += piece.height;
    }
    return at;
  };

  /** Whether a table goes whole to another column, where the page that it leaves or stays on is filled well enough. */
  const goesWhole = (table: readonly Piece[], column: number): boolean => {
    // the room above its caption, which the heading takes, is counted on the page and not as filled
    const height = heightOf(table);
    const spare = table.reduce((sum, { before }) => sum + before, 0);
    // not what is closed, only what is set counts as filled
    const kept = frame.columns.map(({ x }) =>
      page()
        .placed.filter((one) => one.x === x)
        .reduce((end, { y, piece }) => Math.max(end, y + piece.height), frame.top),
    );
    const beside = filled.map((at, i) => (i === column ? frame.bottom : at));
    const next = beside.indexOf(Math.min(...beside));
    const below = next === column ? frame.bottom : startOf(next) + height;
    if (below > frame.bottom && belowRule + height > room) return false;
    const ends = below > frame.bottom ? kept : kept.map((end, i) => (i === next ? below : end));
    const used = ends.reduce((sum, end) => sum + end - frame.top, 0);
    return used - spare >= room * frame.columns.length * wellFilled;
  };

  const cut = (group: Group, number: number) => {
    if (!isWorth(leastFilled())) turn();
    let column = leastFilled();
    ruled(column, group.width);
    let y = startOf(column);
    let head: Piece | null = null;
    let first = true;
    const runs = noneAlone(keptTogether(group.pieces));
    for (const [i, kept] of runs.entries()) {
      const before = first ? 0 : (kept[0]?.before ?? 0);
      const rest = runs.slice(i).flat();
      const again = [group.pieces[0], kept[0]?.kind === 'row' ? head : null].filter((one) => one != null);
      const whole =
        kept[0]?.kind === 'caption' &&
        y + before + heightOf(rest) > frame.bottom &&
        goesWhole([...again, ...rest], column);
      if (!first && (whole || y + before + heightOf(kept) > frame.bottom)) {
        filled[column] = frame.bottom;
        if ((whole || !isWorth(leastFilled())) && !fits([...again, ...rest])) turn();
        column = leastFilled();
        ruled(column, group.width);
        y = set(again, { x: xOf(column), y: startOf(column), number, repeated: true });
      } else y += before;
      y = set(kept, { x: xOf(column), y, number });
      head = kept.findLast((piece) => piece.kind === 'row' && piece.head) ?? head;
      first = false;
    }
    filled[column] = y;
  };

  turn();
  across(front, 0);
  for (const [i, group] of groups.entries()) {
    const isTall = belowRule + heightOf(group.pieces) > room;
    if (isTall || (!fits(group.pieces) && canBegin(group))) cut(group, i + 1);
    else uncut(group, i + 1);
  }
  across(end, groups.length + 1);
  return pages;
}

/** Height of pieces below each other. */
export function heightOf(pieces: readonly Piece[]): Cpx {
  return pieces.reduce((sum, { height, before }, i) => sum + height + (i === 0 ? 0 : before), 0);
}

/** The last row of a table never stands alone below a repeated header. */
function noneAlone(runs: readonly Piece[][]): Piece[][] {
  const [before, last] = runs.slice(-2);
  const isRow = (run: readonly Piece[] | undefined) => run?.length === 1 && run[0]?.kind === 'row';
  if (before === undefined || last === undefined || !isRow(before) || !isRow(last)) return [...runs];
  return [...runs.slice(0, -2), [...before, ...last]];
}

/** Runs of pieces that stay in one column: each with those that may not be parted from it. */
function keptTogether(pieces: readonly Piece[]): Piece[][] {
  const runs: Piece[][] = [];
  let isKept = false;
  for (const piece of pieces) {
    if (isKept) runs.at(-1)?.push(piece);
    else runs.push([piece]);
    isKept = piece.keepsNext;
  }
  return runs;
}

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

/** How a text is painted, and in which room. */
export type Setting = {
  readonly style: TextStyle;
  readonly colour: ColourRole;
  readonly width: Cpx;
  readonly x?: Cpx;
  readonly top?: Cpx;
  readonly align?: 'start' | 'end';
  /** Lines of one length, for headings. */
  readonly balanced?: boolean;
};

/** Height of a line: 1.3 of the size in headings, 1.45 else. */
export function lineHeight({ face, size }: TextStyle): Cpx {
  return Math.round((size * (face.endsWith('600') && size > 1_200 ? 130 : 145)) / 100);
}

/** Sets a text in lines of at most `width` below `top`. */
export function setLines(told: string, setting: Setting): DrawnText[] {
  const { style, colour, width, x = 0, top = 0, align = 'start', balanced = false } = setting;
  const text = cleanText(told);
  if (text === '') return [];
  const height = lineHeight(style);
  const room = { ...style, max: width };
  const lines = balanced ? wrapText(text, room).lines : breakLines(text, room);
  return lines.map((line, i) => ({
    text: line,
    x: align === 'start' ? x : x + width - measureText(line, style),
    baseline: top + i * height + Math.floor((height + capHeight(style)) / 2),
    style,
    colour,
  }));
}
