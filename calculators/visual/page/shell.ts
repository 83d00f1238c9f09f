import { faceRules } from '../type/faceRules.ts';
import { type Html, html } from './html.ts';
import { sheet } from './sheet.css.ts';

/** What a page is put together from. */
export type Page = {
  readonly title: string;
  readonly lang: string;
  /** One sentence for lists of search results. */
  readonly description: string;
  /** What the skip link leads to, as it reads on: `Skip to the figures`. */
  readonly skip: string;
  /** The content of the three landmarks; the one `h1` stands in the header or in the main part. */
  readonly header: Html;
  readonly main: Html;
  readonly footer: Html;
  /** Rules of this page alone, after those of the sheet. */
  readonly styles: string;
};

/** Writes a whole page: one file, one sheet, the faces its text needs, no script, no request (V53). */
export function shell({ title, lang, description, skip, header, main, footer, styles }: Page): string {
  const body = html`<body>
<a class="skip" href="#main">${skip}</a>
<header>
${header}</header>
<main id="main" tabindex="-1">
${main}</main>
<footer>
${footer}</footer>
</body>`;
  // names of tags and classes are of the same letters as any text
  const faces = faceRules([body.markup], 'sans-400') + faceRules([body.markup], 'sans-600');
  return html`<!DOCTYPE html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${{ markup: faces + sheet() + styles }}</style>
</head>
${body}
</html>
`.markup;
}
