import { type Html, html } from '../../../calculators/visual/page/html.ts';

/** A cell: text, or markup. */
export type Cell = string | Html;

/** Text of any length and without places to break, as ids and words of others are. */
export function long(text: string): Html {
  return html`<span class="long">${text}</span>`;
}

// a word of the ledger may break behind its underscores, and nowhere else
function breakable(cell: Cell): Html {
  if (typeof cell !== 'string') return cell;
  const [first = '', ...rest] = cell.split('_');
  return html`${first}${rest.map((part) => html`_<wbr>${part}`)}`;
}

/** A table with a caption, column headers and a row header in the first column; `none` stands for no rows. */
export function table(input: {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly [Cell, ...Cell[]])[];
  none: string;
}): Html {
  if (input.rows.length === 0) return html`<p class="none">${input.none}</p>`;
  const columns = input.columns.map((column) => html`<th scope="col">${column}</th>`);
  const rows = input.rows.map(
    ([first, ...rest]) =>
      html`<tr><th scope="row">${breakable(first)}</th>${rest.map((cell) => html`<td>${breakable(cell)}</td>`)}</tr>\n`,
  );
  return html`<table><caption>${input.caption}</caption>
<thead><tr>${columns}</tr></thead>
<tbody>
${rows}</tbody></table>`;
}

/** A value longer than this has a line of its own. */
const besideOthers = 24;

/** Names and values. */
export function facts(pairs: readonly (readonly [string, Cell])[]): Html {
  const shown = pairs.map(([name, value]) => {
    const wide = textOf(value).length > besideOthers ? html` class="wide"` : null;
    return html`<div${wide}><dt>${name}</dt><dd>${value}</dd></div>\n`;
  });
  return html`<dl>${shown}</dl>`;
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.markup.replaceAll(/<[^>]*>/g, '');
}

/** A word with the weight of a state; the word says it, the colour only repeats it. */
export function state(kind: 'good' | 'warn' | 'bad' | 'off', word: string): Html {
  return html`<span class="${kind}">${word}</span>`;
}

/** A section of the page with its heading. */
export function section(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}</section>
`;
}

/** What stands where a part could not be read. */
export function notThere(why: string): Html {
  return html`<p class="missing"><strong>Not available.</strong> ${why}</p>`;
}
