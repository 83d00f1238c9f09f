import { isFigure } from './filedNumbers.ts';
import type { MarkedText } from './reportText.ts';

// Cells as filed to cells with the columns they span, what EDGAR splits over cells joined again (M17.4).

/** A cell as its tags state it. */
export type FiledCell = { readonly parts: MarkedText[]; readonly columns: number; readonly rows: number };

/** A cell that holds text; it spans the columns `from` up to before `to`. */
export type GridCell = {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Names of the footnotes the cell points to. */
  readonly marks: readonly string[];
};
export type GridRow = readonly GridCell[];

const widestTable = 200;
const trailingMarks = /^(.*?\S)((?: ?\((?:\d{1,2}|[a-z]|\*)\))+)$/;
/** Two digits in brackets in a cell of their own are a negative number. */
const onlyMarks = /^(?:\((?:\d|[a-z]|\*)\) ?)+$/;
/** A row of one cell with this many characters is prose that a table holds. */
const proseLength = 150;

/**
 * The rows of a table by columns; a cell of several rows stands in each of them, unless it is a figure. Null for a table
 * of more than `mostCells` such cells.
 */
export function gridOf(rows: readonly (readonly FiledCell[])[], mostCells: number): GridRow[] | null {
  let reserved: { cell: GridCell; rows: number }[] = [];
  let cells = 0;
  const grid: GridRow[] = [];
  for (const row of rows) {
    const inherited = reserved.filter(({ rows: left }) => left > 0);
    reserved = inherited.map(({ cell, rows: left }) => ({ cell, rows: left - 1 }));
    const taken = inherited.map(({ cell }) => cell);
    const placed: GridCell[] = [];
    let column = 0;
    for (const filed of row) {
      for (let held = heldAt(taken, column); held !== undefined; held = heldAt(taken, column))
        column = held.to;
      const to = Math.min(column + filed.columns, widestTable);
      if (column < widestTable) {
        const cell = { ...textOf(filed), from: column, to };
        placed.push(cell);
        if (filed.rows > 1) reserved.push({ cell, rows: filed.rows - 1 });
      }
      column = to;
    }
    const repeated = taken.filter((cell) => !isFigure(cell.text));
    cells += placed.length + repeated.length;
    if (cells > mostCells) return null;
    grid.push(joinSplit([...placed, ...repeated].toSorted((a, b) => a.from - b.from)));
  }
  return grid;
}

/** True if some row has a figure right of its first cell. */
export function isDataTable(rows: readonly GridRow[]): boolean {
  return rows.some((row) => row.slice(1).some((cell) => isFigure(cell.text)));
}

/** The paragraphs a table only lays out; of a data table its rows of prose. */
export function layoutParagraphs(
  rows: readonly (readonly FiledCell[])[],
  { isData }: { isData: boolean },
): string[] {
  return rows.flatMap((row) => {
    const paragraphs: string[] = [];
    for (const { parts } of row) {
      for (const [index, { text }] of parts.entries()) {
        const last = paragraphs.at(-1);
        if (index > 0 || last === undefined) paragraphs.push(text);
        else paragraphs[paragraphs.length - 1] = `${last} ${text}`;
      }
    }
    if (!isData) return paragraphs;
    const filled = row.filter(({ parts }) => parts.length > 0);
    return filled.length > 1 ? [] : paragraphs.filter((text) => text.length > proseLength);
  });
}

function heldAt(cells: readonly GridCell[], column: number): GridCell | undefined {
  return cells.find((cell) => cell.from <= column && column < cell.to);
}

function textOf({ parts }: FiledCell): { text: string; marks: string[] } {
  const text = parts.map((part) => part.text).join(' ');
  const marks = parts.flatMap((part) => part.marks.map(({ name }) => name));
  const trailing = text.length < 400 ? trailingMarks.exec(text) : null;
  return trailing === null
    ? { text, marks }
    : { text: trailing[1] ?? text, marks: [...marks, ...markNames(trailing[2] ?? '')] };
}

function markNames(text: string): string[] {
  return [...text.matchAll(/\((\d{1,2}|[a-z]|\*)\)/g)].map(([, name = '']) => name);
}

/** `$`|`75.3`, `(5`|`)`, `12`|`,345` and `12`|`%` are one cell; a cell of markers alone belongs to the cell before it. */
function joinSplit(cells: readonly GridCell[]): GridRow {
  const joined: GridCell[] = [];
  for (const cell of cells) {
    const before = joined.at(-1);
    if (cell.text === '') continue;
    if (before === undefined) joined.push(cell);
    else if (/^(?:-?\$\(?|\(\$?)$/.test(before.text) && /^[\d.(-]/.test(cell.text))
      joined[joined.length - 1] = merged(before, cell, `${before.text}${cell.text}`);
    else if (/^[%)]{1,2}$/.test(cell.text) && /\d$/.test(before.text))
      joined[joined.length - 1] = merged(before, cell, `${before.text}${cell.text}`);
    else if (cell.from - before.to <= 2 && isSplitNumber(before.text, cell.text))
      joined[joined.length - 1] = merged(before, cell, `${before.text}${cell.text}`);
    else if (onlyMarks.test(cell.text) && cell.text.length < 40)
      joined[joined.length - 1] = {
        ...merged(before, cell, before.text),
        marks: [...before.marks, ...markNames(cell.text)],
      };
    else joined.push(cell);
  }
  return joined;
}

/** `12`|`,345`, `12,`|`345` and `12`|`.5` are one number. */
function isSplitNumber(before: string, text: string): boolean {
  return (
    (/\d$/.test(before) && /^(?:,|,\d{3}(?:,\d{3}){0,3}(?:\.\d{1,8})?|\.\d{1,8})$/.test(text)) ||
    (/\d,$/.test(before) && /^\d{3}(?:,\d{3}){0,3}(?:\.\d{1,8})?$/.test(text))
  );
}

function merged(a: GridCell, b: GridCell, text: string): GridCell {
  return { text, from: a.from, to: b.to, marks: [...a.marks, ...b.marks] };
}
