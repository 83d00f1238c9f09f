import type { FigureTable } from '../chart/chart.ts';

/** What a file of figures says of itself on every row, so that a row taken out of it still does. */
export type CsvOrigin = {
  /** In kebab case, without suffix: issuer, table, date. */
  readonly fileName: string;
  readonly source: string;
  /** ISO date of the slice. */
  readonly day: string;
};

/**
 * A table as RFC 4180 text in a `data:` address, which a page offers as a file without another request (V57a). Numbers
 * are as published where the table has them, else its finished text; what is not known is an empty cell.
 */
export function tableCsv({ columns, rows, raw }: FigureTable, { source, day }: CsvOrigin): string {
  const names = raw?.columns ?? columns.map(({ label }) => label);
  const lines = [
    [...names, 'unit', 'source', 'slice'],
    ...(raw?.rows ?? rows).map((row) => [...row, raw?.unit ?? 'as printed', source, day]),
  ];
  const text = lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('');
  return `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
}

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // a spreadsheet would run it as a formula
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return inert === '' || /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
