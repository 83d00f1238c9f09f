import { type ColourRole, colourOf, roleRules, type ThemeName } from '../theme/tokens.ts';
import { cssFamilies, type FaceName } from '../type/faces.ts';
import { faceRules, localFaceRule } from '../type/measureText.ts';
import { type Html, html } from './html.ts';

/** What a page is put together from. */
export type Page = {
  readonly title: string;
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
  /** `local`: those of the reader's machine, for a page that is stored of each issuer each night (V53a). */
  readonly faces?: 'embedded' | 'local';
};

/** Writes a whole page: one file, one sheet, the faces its text needs, no request (V53). */
export function shell(page: Page): string {
  const { title, description, skip, header, main, footer, styles, faces = 'embedded' } = page;
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
  const facesOf = faces === 'local' ? localFaceRule : (face: FaceName) => faceRules([body.markup], face);
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${{ markup: facesOf('sans-400') + facesOf('sans-600') + sheet() + styles }}</style>
</head>
${body}
</html>
`.markup;
}

// custom property of the sheet to the role of the palette it shows
const properties = {
  ground: 'ground',
  panel: 'panel',
  text: 'text',
  quiet: 'quiet',
  line: 'line',
  link: 'primary-line',
} as const satisfies Record<string, ColourRole>;

function colours(theme: ThemeName): string {
  return Object.entries(properties)
    .map(([name, role]) => `--${name}:${colourOf(role, theme)}`)
    .join(';');
}

/**
 * The sheet that every page carries (V53–V55): colours by custom properties, light unless the reader prefers dark, print
 * always light; grids that never grow wider than the window; figure cards, tables, code, print rules for A4 and Letter.
 */
function sheet(): string {
  return `:root{color-scheme:light;${colours('light')}}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${colours('dark')}}${roleRules('dark')}}
${rules}`;
}

/** Rules by which the rows of a table become lists of names and values (V55). */
function asNamesAndValues(table: string): string {
  return `${['', ' caption', ' tbody', ' tr', ' td', ' tbody th'].map((part) => `${table}${part}`).join()}{display:block}
${table} thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
${table} tr{padding:.25rem 0;border-top:1px solid var(--line)}
${table} :is(td,tbody th){display:flex;justify-content:space-between;gap:1rem;padding:0;border:0;text-align:right}
${table} td::before{content:attr(data-label);flex:none;max-width:60%;color:var(--quiet);text-align:left;white-space:normal}
${table} tbody th{font-weight:600;text-align:left}
`;
}

const rules = `*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--text);font:400 1rem/1.55 "${cssFamilies.sans}",system-ui,sans-serif;font-variant-ligatures:none;font-kerning:normal;overflow-wrap:anywhere}
body>header,body>main,body>footer{max-width:72rem;margin:0 auto;padding:0 1rem}
h1,h2,h3,h4{margin:0;font-weight:600;line-height:1.3;text-wrap:balance}
h1{font-size:1.75rem}
h2{font-size:1.0625rem}
h3{font-size:1rem}
p,ul,ol,dl,figure{margin:0}
p,li,dd{text-wrap:pretty}
strong,th,dt{font-weight:600}
a{color:var(--link);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
main:focus{outline:0}
.skip{position:absolute;left:-100vw;top:0;padding:.5rem 1rem;background:var(--ground);z-index:1}
.skip:focus{left:0}
body>header{padding-top:1rem;padding-bottom:1rem}
body>header nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;list-style:none}
body>footer{margin-top:2.5rem;padding-bottom:2rem;color:var(--quiet);font-size:.875rem}
body>footer::before{content:"";display:block;margin-bottom:1rem;border-top:1px solid var(--line)}
body>footer p+p{margin-top:.5rem}
.lede{margin-top:.5rem;max-width:40rem;font-size:1.125rem}
.quiet{color:var(--quiet)}
.measure{max-width:46rem}
.figures{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.75rem 1rem;margin-top:1.25rem;padding:.75rem 0;border:solid var(--line);border-width:1px 0}
.figures>div{display:flex;flex-direction:column;justify-content:space-between}
.figures dt{color:var(--quiet);font-size:.8125rem;font-weight:400}
.figures dd{margin:0;font-size:1.375rem;font-weight:600;line-height:1.3}
.figures dd small{color:var(--quiet);font-size:.8125rem;font-weight:400}
.cards{display:grid;grid-template-columns:minmax(0,1fr);gap:2rem;margin-top:1.5rem}
.card{container-type:inline-size;min-width:0;padding-top:.75rem;border-top:2px solid var(--text)}
.card>p{margin-top:.25rem;color:var(--quiet)}
.card>svg{display:block;width:100%;height:auto;margin-top:.75rem}
summary{color:var(--link);cursor:pointer}
.card>details{margin-top:.75rem}
.card>.take{margin-top:.5rem;font-size:.8125rem}
table{width:100%;border-collapse:collapse;margin-top:.5rem;font-size:.8125rem;line-height:1.4}
caption{padding-bottom:.25rem;color:var(--quiet);text-align:left}
th,td{padding:.25rem .5rem .25rem 0;border-top:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word;font-variant-numeric:tabular-nums}
tr>:last-child{padding-right:0}
thead th{border-top:0;color:var(--quiet);vertical-align:bottom}
tbody th{font-weight:400}
.end{text-align:right}
.rows{margin-top:.5rem}
.rows .long{overflow-wrap:anywhere}
.day{white-space:nowrap}
@media screen{
@container (max-width:19rem){
${asNamesAndValues('.rows')}}
@container (max-width:24rem){
${asNamesAndValues('.rows.wide')}}
}
@media screen and (max-width:47.99rem),screen and (pointer:coarse){
body>header nav ul{row-gap:0}
:is(nav,.prices td) a{display:inline-flex;align-items:center;min-width:2.75rem;min-height:2.75rem}
summary{padding-block:.625rem}
.card>details{margin-top:.25rem}
}
code,pre{font-family:ui-monospace,"Cascadia Code","SF Mono",Menlo,Consolas,monospace;font-size:.8125rem}
pre{margin:.75rem 0 0;padding:.75rem;max-width:100%;overflow-x:auto;background:var(--panel);border:1px solid var(--line);border-radius:5px;line-height:1.5;overflow-wrap:normal}
@media screen and (max-width:47.99rem){pre{white-space:pre-wrap;overflow-wrap:anywhere}}
@media (min-width:40rem){
.figures{grid-template-columns:repeat(4,minmax(0,1fr))}
}
@media (min-width:48rem){
.cards{grid-template-columns:repeat(2,minmax(0,1fr))}
}
@media (min-width:64rem){
.cards{grid-template-columns:repeat(3,minmax(0,1fr))}
}
@page{margin:16mm 14mm 18mm}
@media print{
body{font-size:10.5pt}
body>header,body>main,body>footer{max-width:none;padding-left:0;padding-right:0}
.skip,body>header nav,.card>.take{display:none}
h1,h2,h3,h4,summary,caption{break-after:avoid}
.card,.figures,pre,tr,svg{break-inside:avoid}
p,li{orphans:2;widows:2}
thead{display:table-header-group}
a{color:inherit}
pre{white-space:pre-wrap;overflow:visible;overflow-wrap:anywhere}
.figures{grid-template-columns:repeat(4,minmax(0,1fr))}
.cards{grid-template-columns:repeat(2,minmax(0,1fr));gap:1.25rem}
details::details-content{content-visibility:visible;display:block;block-size:auto;opacity:1}
summary{list-style:none;color:inherit}
}
`;
