import { DuckDBDecimalValue, type DuckDBValue } from '@duckdb/node-api';
import { printable } from '../../data/contract/values/printable.ts';
import { valueJson, valueText } from './queryValue.ts';

/** Prints rows as they arrive: `head` once, `rows` per chunk, `tail` once. */
export type RowPrinter = {
  head(): string;
  rows(chunk: readonly (readonly DuckDBValue[])[]): string;
  tail(more: MoreRows): string;
};

/** Rows that were not shown; null when all were. */
export type MoreRows = { readonly rows: number; readonly isExact: boolean } | null;

/** Formats that are text. */
export type TextFormat = 'table' | 'vertical' | 'markdown' | 'csv' | 'json';

/** A value as a person reads it. */
type Cell = (value: DuckDBValue) => string;

const maxWidth = 60;
const measuredRows = 1000;

/** The printer of a text format for the named columns; `grouped`: thousands apart, for the eye alone. */
export function rowPrinter(
  format: TextFormat,
  names: readonly string[],
  { grouped = false }: { readonly grouped?: boolean } = {},
): RowPrinter {
  const cell = (value: DuckDBValue) => printable((grouped ? groupedText(value) : valueText(value)) ?? '-');
  switch (format) {
    case 'vertical':
      return verticalPrinter(names, cell);
    case 'markdown':
      return markdownPrinter(names);
    case 'csv':
      return csvPrinter(names);
    case 'json':
      return jsonPrinter(names);
    case 'table':
      return tablePrinter(names, cell);
  }
}

/** A number from 10,000 on with its thousands apart: a year has none. */
function groupedText(value: DuckDBValue): string | null {
  const text = valueText(value);
  if (text === null || !isNumeric(value)) return text;
  return text.replace(/^(-?)(\d{5,})(?=\.|$)/, (_, sign: string, digits: string) => {
    return `${sign}${digits.replace(/\B(?=(\d{3})+$)/g, ',')}`;
  });
}

/** A table of GitHub-flavoured Markdown; columns of numbers are aligned right. */
function markdownPrinter(names: readonly string[]): RowPrinter {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const escaped = (text: string) =>
    printable(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;');
  let count = 0;
  const head = (first: readonly DuckDBValue[] | undefined) =>
    line(names.map(escaped)) + line(names.map((_, i) => (isNumeric(first?.[i] ?? null) ? '---:' : '---')));
  return {
    head: () => '',
    rows(chunk) {
      const [first] = chunk;
      const heading = count === 0 && first !== undefined ? head(first) : '';
      count += chunk.length;
      return heading + chunk.map((row) => line(row.map((value) => escaped(valueText(value) ?? '')))).join('');
    },
    tail: (more) => `${count === 0 ? head(undefined) : ''}${more === null ? '' : `\n${moreRows(more)}\n`}`,
  };
}

function isNumeric(value: DuckDBValue): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof DuckDBDecimalValue;
}

/**
 * RFC 4180 with a header line; null is an empty cell, an empty text is quoted. A text that a spreadsheet would run as
 * a formula starts with an apostrophe; numbers, also those kept as text, are as they are.
 */
function csvPrinter(names: readonly string[]): RowPrinter {
  const line = (cells: readonly (string | null)[]) => `${cells.map(csvCell).join(',')}\r\n`;
  const cell = (value: DuckDBValue) => (typeof value === 'string' ? inert(value) : valueText(value));
  return {
    head: () => line(names.map(inert)),
    rows: (chunk) => chunk.map((row) => line(row.map(cell))).join(''),
    tail: () => '',
  };
}

function inert(text: string): string {
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text);
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !isNumber ? `'${text}` : text;
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
function tablePrinter(names: readonly string[], cell: Cell): RowPrinter {
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
      for (const row of chunk) held.push(row.map(cell));
      return widths !== null || count >= measuredRows ? release() : '';
    },
    tail: (more) => `${release()}(${counted(count, more)})\n`,
  };
}

/** One line a value, one block a row: rows of many columns on a narrow screen. */
function verticalPrinter(names: readonly string[], cell: Cell): RowPrinter {
  const heading = names.map(printable);
  const width = heading.reduce((most, name) => Math.max(most, name.length), 0);
  let count = 0;
  return {
    head: () => '',
    rows: (chunk) =>
      chunk
        .map((row) => {
          count += 1;
          const lines = row.map((value, i) => `${(heading[i] ?? '').padEnd(width)}  ${cell(value)}\n`);
          return `-- row ${count}\n${lines.join('')}`;
        })
        .join(''),
    tail: (more) => `(${counted(count, more)})\n`,
  };
}

function counted(count: number, more: MoreRows): string {
  const shown = `${count} ${count === 1 ? 'row' : 'rows'}`;
  return more === null ? shown : `${shown}, ${moreRows(more)}`;
}

/** What stands behind a result that was cut. */
export function moreRows({ rows, isExact }: NonNullable<MoreRows>): string {
  const count = rows.toLocaleString('en');
  return `${isExact ? count : `more than ${count}`} more ${rows === 1 && isExact ? 'row' : 'rows'}: --limit <n>, 0 for all`;
}
