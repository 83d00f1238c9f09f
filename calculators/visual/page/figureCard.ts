import type { Chart, FigureTable } from '../chart/chart.ts';
import { dataTable } from './dataTable.ts';
import { type Html, html } from './html.ts';

/** A figure card of a page. */
export type FigureCard = {
  /** In kebab case; unique on the page. */
  readonly id: string;
  /** States what was found. */
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** The chart as SVG, light values as attributes and role classes, the faces left to the page (V54); null without one. */
  readonly svg: string | null;
  readonly table: Chart['table'] | null;
};

/** Writes a card: the finding as heading, its sentences, the picture, the same figures as a table (V53). */
export function figureCard({ id, heading, paragraphs, svg, table }: FigureCard): Html {
  const texts = paragraphs.map((text) => html`<p>${text}</p>\n`);
  const picture = svg === null ? null : { markup: svg };
  return html`<section class="card" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${heading}</h2>
${texts}${picture}${figuresOf(table, { beside: picture })}</section>
`;
}

// without a picture the table is the figure and stands open
function figuresOf(table: FigureTable | null, { beside }: { beside: Html | null }): Html | null {
  if (table === null) return null;
  if (beside === null) return dataTable(table);
  return html`<details><summary>The figures as a table</summary>
${dataTable(table)}</details>
`;
}
