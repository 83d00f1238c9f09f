import type { FigureTable } from '../chart/chart.ts';
import type { Card } from '../report/report.ts';
import { type Html, html, unbroken } from './html.ts';

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

export type CompanyNames = ReadonlyMap<string, string>;

const noNames: CompanyNames = new Map();

/** A card as a page shows it. */
export type FigureCard = Omit<Card, 'chart'> & {
  /** The chart as SVG, light values as attributes and role classes, the faces left to the page (V54); null without one. */
  readonly svg: string | null;
  /** Offers the table as a file; absent: it is only shown. */
  readonly csv?: CsvOrigin;
  /** Names of companies by ticker, shown where a row or a sentence begins with one. */
  readonly names?: CompanyNames;
};

/** Writes a card: the finding as heading, its sentences, the picture, the same figures as a table (V53). */
export function figureCard(card: FigureCard): Html {
  const { id, heading, paragraphs, svg, table, links = [], csv, names = noNames } = card;
  const texts = paragraphs.map((text) => html`<p>${named(text, names)}</p>\n`);
  const picture = svg === null ? null : { markup: svg };
  return html`<section class="card" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${heading}</h2>
${texts}${linkList(links)}${picture}${figuresOf(table, { beside: picture, names })}${downloadOf(table, csv)}</section>
`;
}

/** A text whose first word, where that is a ticker, has the name of its company. */
function named(text: string, names: CompanyNames): Html {
  const ticker = /^[A-Z0-9.-]+(?=[:,]|$)/.exec(text)?.[0] ?? '';
  const name = names.get(ticker);
  if (name === undefined) return html`${unbroken(text)}`;
  return html`<abbr title="${name}">${ticker}</abbr>${unbroken(text.slice(ticker.length))}`;
}

function linkList(links: NonNullable<FigureCard['links']>): Html | null {
  if (links.length === 0) return null;
  return html`<ul class="links">
${links.map(({ text, href }) => html`<li><a href="${href}">${unbroken(text)}</a></li>\n`)}</ul>
`;
}

function downloadOf(table: FigureTable | null, csv: CsvOrigin | undefined): Html | null {
  if (table === null || csv === undefined) return null;
  return html`<p class="take"><a download="${csv.fileName}.csv" href="${tableCsv(table, csv)}">${table.caption} as CSV</a></p>
`;
}

// without a picture the table is the figure and stands open
function figuresOf(
  table: FigureTable | null,
  { beside, names }: { beside: Html | null; names: CompanyNames },
): Html | null {
  if (table === null) return null;
  if (beside === null) return dataTable(table, names);
  return html`<details><summary>The figures as a table</summary>
${dataTable(table, names)}</details>
`;
}

const narrowColumns = 5;

/**
 * Writes figures as a table with a caption, column headers and a row header in the first column (V53). In a space under
 * 19 rem, of more than five columns under 24 rem, each row becomes a list of names and values.
 */
function dataTable({ caption, columns, rows }: FigureTable, names: CompanyNames): Html {
  const classOf = (at: number, cell = ''): Html | null =>
    columns[at]?.align === 'end' ? html` class="end"` : hasLongWord(cell) ? html` class="long"` : null;
  const head = columns.map(({ label }, at) => html`<th scope="col"${classOf(at)}>${label}</th>`);
  const body = rows.map(([first = '', ...rest]) => {
    const cells = rest.map(
      (cell, i) =>
        html`<td${classOf(i + 1, cell)} data-label="${columns[i + 1]?.label ?? ''}">${unbroken(cell)}</td>`,
    );
    return html`<tr><th scope="row"${classOf(0, first)}>${named(first, names)}</th>${cells}</tr>\n`;
  });
  return html`<table class="${columns.length > narrowColumns ? 'rows wide' : 'rows'}"><caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table>
`;
}

/** A word longer than those of tiers, states and figures: it may break anywhere, so that no other column has to. */
const hasLongWord = (cell: string) => cell.split(/[\s-]/).some((word) => word.length > 20);
