import { isDash, isFigure } from './filedNumbers.ts';
import { type Calendar, findDays, findMonths, findPeriods, findQuarters } from './reportDates.ts';
import type { DateBasis } from './statement.ts';
import type { GridCell, GridRow } from './tableGrid.ts';

/** The days a column or row is about. */
export type TableTime = {
  readonly from: string;
  readonly to: string;
  readonly basis: Extract<DateBasis, 'period' | 'as_of' | 'month' | 'quarter' | 'heading'>;
};

/** A row of numbers with the header above each of its columns. */
export type DataRow = {
  readonly index: number;
  /** The first cell where it is no number, else empty. */
  readonly label: string;
  readonly labelMarks: readonly string[];
  /** The last row of one cell above it, `Bitcoin`. */
  readonly section: string;
  /** Headers above the labels, `Metric`. */
  readonly stub: string;
  readonly cells: readonly HeadedCell[];
  readonly quote: string;
};

export type HeadedCell = GridCell & {
  /** Headers that stand over this column alone, from the top. */
  readonly header: string;
  readonly headerMarks: readonly string[];
  /** Headers of this column, also those it shares with others. */
  readonly headers: string;
};

/** Rows of headers above the numbers that are read. */
const mostHeaders = 8;
const yearOnly = /^(?:19|20)\d\d$/;
const ofChange = /%|\b(?:change|variance|increase|decrease|growth)\b/i;

/** Rows of numbers under their headers; a row of labels without a number is a header of what follows it (M17.5). */
export function dataRows(rows: readonly GridRow[]): DataRow[] {
  const found: DataRow[] = [];
  let headers: GridRow[] = [];
  let section = '';
  let afterData = false;
  // the labels of a table that begins with numbers alone stand below them
  let isLabelledBelow = false;
  for (const [index, row] of rows.entries()) {
    const [first, ...rest] = row;
    if (first === undefined) continue;
    if (isHeaderRow(row)) {
      if (isLabelledBelow) continue;
      const isSection = row.length === 1 && first.from === 0 && first.to <= 3;
      if (isSection) section = first.text;
      else {
        headers = afterData ? [row] : [...headers.slice(1 - mostHeaders), row];
        if (afterData) section = '';
        afterData = false;
      }
      continue;
    }
    afterData = true;
    const hasLabel = !isNumeric(first.text);
    isLabelledBelow ||= !hasLabel && headers.length === 0;
    const values = hasLabel ? rest : row;
    const numbers = values.filter((cell) => isNumeric(cell.text));
    found.push({
      index,
      label: hasLabel ? first.text : '',
      labelMarks: hasLabel ? first.marks : [],
      section,
      stub: stubOf(headers, numbers),
      cells: numbers.map((cell) => headed(cell, headers, numbers)),
      quote: row.map(({ text }) => text).join(' | '),
    });
  }
  return found;
}

function isNumeric(text: string): boolean {
  return isFigure(text) || isDash(text);
}

function isHeaderRow(row: GridRow): boolean {
  const figures = row.filter((cell) => isFigure(cell.text));
  if (figures.length > 0)
    return (
      figures.every((cell) => yearOnly.test(cell.text)) &&
      row.every(
        (cell, at) => isFigure(cell.text) || at === 0 || figures.length > 1 || ofChange.test(cell.text),
      )
    );
  // a row of dashes alone is a row of zeros
  return !row.slice(1).some((cell) => isDash(cell.text));
}

function headed(cell: GridCell, headers: readonly GridRow[], numbers: readonly GridCell[]): HeadedCell {
  const above = headers.flatMap((row) => row.filter((header) => overlaps(header, cell)));
  const own = above.filter((header) => numbers.filter((other) => overlaps(header, other)).length <= 1);
  return {
    ...cell,
    header: own.map(({ text }) => text).join(' '),
    headerMarks: own.flatMap(({ marks }) => marks),
    headers: above.map(({ text }) => text).join(' '),
  };
}

function stubOf(headers: readonly GridRow[], numbers: readonly GridCell[]): string {
  const left = headers.flatMap((row) =>
    row.filter((header) => !numbers.some((cell) => overlaps(header, cell))),
  );
  return left
    .filter(({ to }) => numbers.every(({ from }) => to <= from))
    .map(({ text }) => text)
    .join(' ');
}

function overlaps(a: GridCell, b: GridCell): boolean {
  return a.from < b.to && b.from < a.to;
}

/** The time a header or label states: a period, a day, a month or a quarter; null for none. */
export function timeOf(text: string, calendar: Calendar): TableTime | null {
  if (text.length > 400) return null;
  const period = findPeriods(text, calendar)[0];
  if (period !== undefined) return { from: period.from, to: period.to, basis: 'period' };
  const day = findDays(text, calendar)[0];
  if (day !== undefined) return { from: day.day, to: day.day, basis: 'as_of' };
  const month = findMonths(text, calendar)[0];
  if (month !== undefined) return { from: month.from, to: month.to, basis: 'month' };
  const quarter = findQuarters(text, calendar)[0];
  return quarter === undefined ? null : { from: quarter.from, to: quarter.to, basis: 'quarter' };
}
