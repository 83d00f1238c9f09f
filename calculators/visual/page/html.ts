import type { Route } from '../../../data/contract/routes/route.ts';

/** Markup that may go into a page as it is; only `html` makes it. */
export type Html = { readonly markup: string };

type Content = string | number | Html | readonly Html[] | null;

/** Template of markup: any value put in is text and is escaped, unless it is markup itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  let markup = parts[0] ?? '';
  values.forEach((value, i) => {
    markup += markupOf(value) + (parts[i + 1] ?? '');
  });
  return { markup };
}

function markupOf(value: Content): string {
  if (value === null) return '';
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return String(value);
  return 'markup' in value ? value.markup : value.map((part) => part.markup).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for elements and quoted attributes; controls and marks that turn the reading direction become visible. */
export function escapeText(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\u{fffd}')
    .replace(/\p{Cs}/gu, '\u{fffd}');
}

/** A path that may break before its slashes. */
export function breakablePath(path: string): Html[] {
  return path.split(/(?=\/)/).map((part, i) => (i === 0 ? html`${part}` : html`<wbr>${part}`));
}

/** A text in which no date is broken behind its hyphens, nor the two words of a cell that has no figure. */
export function unbroken(text: string): Html[] {
  return text
    .split(/((?<![\d-])\d{4}-\d\d-\d\d(?!\d)|^not (?:known|filed)$)/)
    .map((part, i) => (i % 2 === 1 ? html`<span class="day">${part}</span>` : html`${part}`));
}

/** The price of a call: `$0.10`, `$1.00 to $3.00` where the stored answer states it, `free`. */
export function priceText({ priceMicroUsd, priceBand }: Pick<Route, 'priceMicroUsd' | 'priceBand'>): string {
  if (priceBand !== undefined)
    return `${dollars(priceBand.minMicroUsd)} to ${dollars(priceBand.maxMicroUsd)}`;
  return priceMicroUsd === 0 ? 'free' : dollars(priceMicroUsd);
}

const dollars = (micro: number): string => `$${(micro / 1_000_000).toFixed(2)}`;
