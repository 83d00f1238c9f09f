import type { DuckDBValue } from '@duckdb/node-api';
import { valueJson, valueText } from './queryValue.ts';

/** Prints rows as they arrive: `head` once, `rows` per chunk, `tail` once. */
export type RowPrinter = {
  head(): string;
  rows(chunk: readonly (readonly DuckDBValue[])[]): string;
  tail(): string;
};

const maxWidth = 60;
const measuredRows = 1000;

/** The printer of a text format for the named columns. */
export function rowPrinter(format: 'table' | 'csv' | 'json', names: readonly string[]): RowPrinter {
  switch (format) {
    case 'csv':
      return csvPrinter(names);
    case 'json':
      return jsonPrinter(names);
    case 'table':
      return tablePrinter(names);
  }
}

/** RFC 4180 with a header line; null is an empty cell, an empty text is quoted. */
function csvPrinter(names: readonly string[]): RowPrinter {
  const line = (cells: readonly (string | null)[]) => `${cells.map(csvCell).join(',')}\r\n`;
  return {
    head: () => line(names),
    rows: (chunk) => chunk.map((row) => line(row.map(valueText))).join(''),
    tail: () => '',
  };
}

function csvCell(text: string | null): string {
  if (text === null) return '';
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One JSON array, one row a line. */
function jsonPrinter(names: readonly string[]): RowPrinter {
  const keys = names.map((name) => JSON.stringify(name));
  let first = true;
  return {
    head: () => '[',
    rows: (chunk) =>
      chunk
        .map((row) => {
          const separator = first ? '\n' : ',\n';
          first = false;
          return `${separator}{${row.map((value, i) => `${keys[i]}:${valueJson(value)}`).join(',')}}`;
        })
        .join(''),
    tail: () => '\n]\n',
  };
}

/** Columns as wide as the first rows need, so that memory stays bounded; longer cells are shown whole. */
function tablePrinter(names: readonly string[]): RowPrinter {
  const heading = names.map(printable);
  const held: string[][] = [];
  let widths: number[] | null = null;
  let count = 0;
  const line = (cells: readonly string[], by: readonly number[]) =>
    `${cells
      .map((cell, i) => (i === cells.length - 1 ? cell : cell.padEnd(by[i] ?? 0)))
      .join('  ')
      .trimEnd()}\n`;
  const release = () => {
    const by =
      widths ??
      heading.map((name, i) =>
        Math.min(
          maxWidth,
          held.reduce((w, row) => Math.max(w, row[i]?.length ?? 0), name.length),
        ),
      );
    const rule = by.map((width) => '-'.repeat(width));
    const lines = (widths === null ? [heading, rule, ...held] : held).map((row) => line(row, by));
    widths = by;
    held.length = 0;
    return lines.join('');
  };
  return {
    head: () => '',
    rows(chunk) {
      count += chunk.length;
      for (const row of chunk) held.push(row.map((value) => printable(valueText(value) ?? '-')));
      return widths !== null || count >= measuredRows ? release() : '';
    },
    tail: () => `${release()}(${count} ${count === 1 ? 'row' : 'rows'})\n`,
  };
}

// a filed text must not drive the terminal
function printable(text: string): string {
  return text.replaceAll(
    /[\u0000-\u001f\u007f-\u009f]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
