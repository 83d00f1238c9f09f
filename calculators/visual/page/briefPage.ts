import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { writeChartSvg } from '../chart/writeChartSvg.ts';
import type { Cpx } from '../geometry/rect.ts';
import { type Card, publishedText, type Report } from '../report/report.ts';
import { type CsvOrigin, figureCard } from './figureCard.ts';
import { html, unbroken } from './html.ts';
import { type Page, shell } from './shell.ts';

/** The largest page (I4.R28.5). */
const maxBytes = 400 * 1024;

type Drawn = Pick<Page, 'faces'> & {
  /** The SVG of each card's chart by the card's id; their bytes stand in the page as they are (V54). */
  readonly svgs: ReadonlyMap<string, string>;
};

/**
 * Writes a report as its page (V53–V56).
 *
 * @throws IssuerError `validation_failed` beyond 400 KiB (I4.R28.5)
 */
export function briefPage(report: Report, { svgs, faces = 'embedded' }: Drawn): string {
  const { title, headline, lede, keyFigures, cards, names = new Map() } = report;
  const figures = keyFigures.map(
    ({ label, value, note }) =>
      html`<div><dt>${label}</dt><dd>${value}${note === null ? null : html` <small>${unbroken(note)}</small>`}</dd></div>\n`,
  );
  const page = shell({
    title: `${title}: ${headline}`,
    description: lede,
    skip: 'Skip to the figures',
    header: html`<p class="quiet">Issuer Intelligence · ${title} · published ${publishedText(report)}</p>
<h1>${headline}</h1>
<p class="lede">${unbroken(lede)}</p>
`,
    main: html`<dl class="figures">
${figures}</dl>
<div class="cards">
${columnsOf(cards).map((column) => html`<div class="column">\n${column.map(({ chart: _, ...card }) => figureCard({ ...card, svg: svgs.get(card.id) ?? null, csv: originOf(report, card.id), names }))}</div>\n`)}</div>
${notes(report)}`,
    footer: html`<p>${report.disclaimer}</p>
`,
    styles,
    faces,
  });
  const bytes = new TextEncoder().encode(page).length;
  if (bytes <= maxBytes) return page;
  throw new IssuerError({
    code: 'validation_failed',
    message: `The page of the report has ${bytes} bytes, and ${maxBytes} are allowed.`,
    hint: 'Nothing was written; shorten the lists of the report.',
  });
}

/** `mstr-2026-02-07-ratios`: issuer or report, date, table. */
function originOf({ title, sourceDate, source }: Report, table: string): CsvOrigin {
  const name = title
    .replace(sourceDate, '')
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return { fileName: [name, sourceDate, table].join('-'), source, day: sourceDate };
}

/** What a card takes beside its picture and its words: heading, the line that unfolds the table, the gap below. */
const aroundPicture: Cpx = 13_500;
const line: Cpx = 2_500;

function heightOf({ paragraphs, links = [], chart, table }: Card): Cpx {
  const words = [...paragraphs, ...links.map(({ text }) => text)];
  const lines = words.reduce((sum, text) => sum + Math.ceil(text.length / 42), 0);
  const open = chart !== null || table === null ? 0 : (table.rows.length + 2) * line * 1.2;
  return aroundPicture + lines * line + open + (chart?.scene.height ?? 0);
}

/** The cards in three columns, in their order, so that the highest column is as low as can be. */
function columnsOf(cards: readonly Card[]): readonly (readonly Card[])[] {
  const height = (part: readonly Card[]) => part.reduce((sum, card) => sum + heightOf(card), 0);
  const cuts = cards.flatMap((_, a) =>
    cards.slice(a).map((_card, b) => [cards.slice(0, a), cards.slice(a, a + b), cards.slice(a + b)]),
  );
  const highest = (columns: readonly (readonly Card[])[]) => Math.max(...columns.map(height));
  return cuts.reduce((best, one) => (highest(one) < highest(best) ? one : best), [cards]);
}

function notes({ terms, boundary, caveats }: Report) {
  const listed = terms.map(({ term, explanation }) => html`<dt>${term}</dt>\n<dd>${explanation}</dd>\n`);
  const items = (texts: readonly string[]) => texts.map((text) => html`<li>${text}</li>\n`);
  const section = (id: string, heading: string, body: unknown) =>
    html`<section class="note" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${heading}</h2>
${body as never}</section>
`;
  return html`<div class="notes">
${section('terms', 'Terms', html`<dl>\n${listed}</dl>\n`)}<div>
${section('boundary', 'What the evidence covers', html`<ul>\n${items(boundary)}</ul>\n`)}${
  caveats.length === 0 ? null : section('caveats', 'Caveats', html`<ul>\n${items(caveats)}</ul>\n`)
}</div>
</div>
`;
}

const styles = `
body>header{padding-top:1.5rem}
h1{margin-top:1rem;max-width:44rem}
.notes{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem 2rem;margin-top:2.5rem;padding-top:1.25rem;border-top:1px solid var(--line);font-size:.875rem}
.note+.note{margin-top:1.5rem}
.note dl{margin-top:.5rem}
.note dt{margin-top:.5rem}
.note dd{margin:0;color:var(--quiet)}
.note ul{margin-top:.5rem;padding-left:1.1rem;color:var(--quiet)}
.note li+li{margin-top:.25rem}
.figures>div{justify-content:flex-start}
.figures dd small{display:block}
.links{margin:.5rem 0 0;padding-left:1.1rem}
.column{display:contents}
@media screen and (min-width:64rem){.column{display:grid;grid-template-columns:minmax(0,1fr);gap:2rem;align-content:start}}
@media (min-width:48rem){.notes{grid-template-columns:repeat(2,minmax(0,1fr))}}
@media print{
body>header{padding:0}
h1{font-size:17pt;margin-top:.25rem}
h2{font-size:11pt}
.lede{margin-top:.25rem;font-size:10pt;max-width:none}
.figures dd{font-size:14pt}
.figures{margin-top:.75rem;padding:.5rem 0}
.cards{display:block;columns:2;column-gap:1.25rem;margin-top:1rem}
.card{margin-bottom:.875rem;padding-top:.375rem}
.card>svg{width:76%;margin-top:.375rem}
.card>p,.note,.links{font-size:8.5pt;line-height:1.35}
.links a{text-decoration:none}
.card summary{display:none}
.card>details{margin-top:.25rem}
.card table{margin-top:.25rem;font-size:7.5pt;line-height:1.25}
.figures dt{font-size:8.5pt}
.card th,.card td{padding:.1rem .3rem .1rem 0}
.note{break-inside:avoid}
.notes{grid-template-columns:repeat(2,minmax(0,1fr));margin-top:.75rem;padding-top:.5rem}
.note+.note{margin-top:.75rem}
.note :is(dl,ul),.note dt{margin-top:.25rem}
body>footer{margin-top:.75rem;font-size:8pt}
body>footer::before{margin-bottom:.5rem}
}
`;

/** The report on one issuer as its page: each chart in the colours of print, the faces those of the reader (V53a). */
export function reportPage(report: Report): string {
  const svgs = report.cards.flatMap(({ id, chart }) =>
    chart === null
      ? []
      : [[id, writeChartSvg(chart, { theme: 'light', idPrefix: `${id}-`, faces: 'none' })] as const],
  );
  return briefPage(report, { svgs: new Map(svgs), faces: 'local' });
}
