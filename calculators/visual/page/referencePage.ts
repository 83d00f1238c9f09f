import { type CodeSample, languageSamples } from '../../../data/contract/emit/codeSamples.ts';
import type { Deployment } from '../../../data/contract/emit/deployment.ts';
import { emitFieldContract, resourceOf } from '../../../data/contract/emit/fieldContract.ts';
import type { FieldContract } from '../../../data/contract/emit/fieldContractSchema.ts';
import { freeAnswers } from '../../../data/contract/emit/freeAnswers.ts';
import { parameterSchema } from '../../../data/contract/emit/jsonSchema.ts';
import { choiceSentences } from '../../../data/contract/emit/operationDescription.ts';
import { type RouteTag, routeTag, routeTags } from '../../../data/contract/emit/routeTags.ts';
import { isRailOn, offeredRoutes } from '../../../data/contract/routes/paymentRail.ts';
import { type Param, type Route, routeUri } from '../../../data/contract/routes/route.ts';
import { offeredTools } from '../../../data/contract/tools/offeredTools.ts';
import { screeningAid, tierMeaning } from '../../../data/contract/values/disclaimer.ts';
import { capital } from '../chart/figures.ts';
import { breakablePath, type Html, html, priceText } from './html.ts';
import { searchBox, searchElement, searchStyles } from './referenceSearch.ts';
import { shell } from './shell.ts';

/** What the reference page is made from. */
export type ReferenceInput = {
  readonly deployment: Deployment;
  /** Routes as they are priced now. */
  readonly routes: readonly Route[];
  /** Committed sample answers by operationId, as JSON text (I4.F20.1). */
  readonly samples: ReadonlyMap<string, string>;
};

type Reference = ReferenceInput & {
  readonly live: readonly Route[];
  /** Members of answers by resource, among them `envelope` and `problem`. */
  readonly fields: ReadonlyMap<string, FieldContract['fields']>;
  /** Members that every paid answer carries around its payload. */
  readonly envelope: ReadonlySet<string>;
};

/** The reference of every route that a deployment offers, from the route table and the schemas (I4.F19.1, V59). */
export function referencePage(input: ReferenceInput): string {
  const live = offeredRoutes(input.routes, input.deployment);
  const contract = emitFieldContract({ alphaWeights: {}, releaseKeys: [], routes: live });
  const fields = Map.groupBy(contract.fields, ({ resource }) => resource);
  const envelope = new Set(fields.get('envelope')?.map(({ path }) => path.replace(/[.[].*/, '')));
  const reference: Reference = { ...input, live, fields, envelope };
  const groups = (Object.keys(routeTags) as RouteTag[])
    .map((tag) => ({ tag, routes: live.filter((route) => routeTag(route) === tag) }))
    .filter(({ routes }) => routes.length > 0);
  return shell({
    title: 'Reference – Issuer Intelligence',
    description: 'Every route with its price, parameters, fields, a real example and a call to copy.',
    skip: 'Skip to the routes',
    header: html`<nav aria-label="Documents"><ul>
<li><a href="/"><strong>Issuer Intelligence</strong></a></li>
<li><a href="/openapi.json">OpenAPI</a></li>
<li><a href="/v1/contract/fields">Field contract</a></li>
<li><a href="/help">Help</a></li>
</ul></nav>
<h1>Reference</h1>
<p class="lede">Every route with its price, parameters, fields, a real example and a call to copy. ${unpaidSentence(input.deployment)} An answer that does not exist is 400 or 404 and costs nothing.</p>
<p class="measure">${keySentence(input.deployment)} A slice holds the figures of all issuers as known on one date, its <code>source_date</code>.</p>
`,
    main: html`<nav class="contents" aria-label="Routes"><details><summary>Routes</summary>
${groups.map(contentsOf)}</details></nav>
<div class="texts">
${searchBox()}${groups.map((group) => groupSection(group, reference))}${everyAnswer(fields)}</div>
`,
    footer: html`${searchElement()}<p>${capital(tierMeaning)}. ${screeningAid}</p>
`,
    styles: referenceStyles + searchStyles,
  });
}

function unpaidSentence(deployment: Deployment): string {
  if (isRailOn(deployment, 'x402'))
    return 'Without a credential a priced route answers 402 with its exact price.';
  return isRailOn(deployment, 'mpp')
    ? 'Without a credential a route below /mpp/v1 answers 402 with its exact price; the other priced routes take an API key.'
    : 'A priced route takes an API key; this deployment takes no payments.';
}

function keySentence(deployment: Deployment): Html {
  return isRailOn(deployment, 'x402')
    ? html`The second call of a priced route takes an API key in <code>KEY</code>, which the operator gives out; an x402 client pays the 402 of the first and needs no key (<a href="/help">help</a>).`
    : html`The call of a priced route takes an API key in <code>KEY</code>, which the operator gives out.`;
}

type Group = { readonly tag: RouteTag; readonly routes: readonly Route[] };

const idOf = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-');

function contentsOf({ tag, routes }: Group): Html {
  const shown = tag === 'Machine payments' ? [] : routes;
  const links = shown.map(
    ({ operationId, path }) =>
      html`<li><a href="#${operationId}"><span>${breakablePath(path.replace(/^\/v1/, ''))}</span></a></li>\n`,
  );
  const list = links.length === 0 ? null : html`<ul>\n${links}</ul>\n`;
  return html`<h2><a href="#${idOf(tag)}">${tag}</a></h2>
${list}`;
}

function groupSection({ tag, routes }: Group, reference: Reference): Html {
  const content =
    tag === 'Machine payments'
      ? mirrors(routes, reference.live)
      : html`${routes.map((route) => routeSection(route, reference))}`;
  return html`<section class="group" aria-labelledby="${idOf(tag)}">
<h2 id="${idOf(tag)}">${tag}</h2>
<p>${routeTags[tag]}</p>
${content}</section>
`;
}

function mirrors(routes: readonly Route[], live: readonly Route[]): Html {
  const rows = routes.map((route) => {
    const twin = live.find(({ id }) => id === route.mirrorOf);
    const link =
      twin === undefined ? html`–` : html`<a href="#${twin.operationId}"><code>${twin.path}</code></a>`;
    return html`<tr><th scope="row" id="${route.operationId}"><code>${routeUri(route)}</code></th><td>${link}</td><td class="end">${priceText(route)}</td></tr>\n`;
  });
  return priced('Each answers as the route beside it does', ['Route', 'Answers as'], rows);
}

/** A table whose last column is a price. */
function priced(caption: string, columns: readonly string[], rows: readonly Html[]): Html {
  const head = columns.map((column) => html`<th scope="col">${column}</th>`);
  return html`<table class="rows"><caption>${caption}</caption>
<thead><tr>${head}<th scope="col" class="end">Price</th></tr></thead>
<tbody>
${rows}</tbody></table>
`;
}

function routeSection(route: Route, reference: Reference): Html {
  const { operationId, note } = route;
  const fields = reference.fields.get(resourceOf(route) ?? '') ?? [];
  const [curl, ...others] = languageSamples(route, reference.deployment);
  const parameters = parameterTable(route.params);
  return html`<section class="route" aria-labelledby="${operationId}">
<h3 id="${operationId}"><code>${routeUri(route)}</code> <span>${priceText(route)}</span></h3>
<p>${[route.description, ...(note === undefined ? [] : [note]), ...choiceSentences(route)].join(' ')}</p>
${parameters === null ? null : html`<div class="parameters">${parameters}</div>\n`}${route.family === 'mcp' ? toolTable(reference) : null}${curl === undefined ? null : code(curl.source, `Call of ${operationId}`)}${inLanguages(others, operationId)}${fields.length === 0 ? null : html`<details><summary>${fields.length} fields of the answer</summary>\n${fieldTable(fields, `Fields of ${operationId}`)}</details>\n`}${exampleOf(route, reference)}</section>
`;
}

function inLanguages(samples: readonly CodeSample[], operationId: string): Html | null {
  if (samples.length === 0) return null;
  const names = samples.map(({ lang }) => lang);
  const shown = samples.map(({ lang, source }) => code(source, `Call of ${operationId} in ${lang}`));
  return html`<details><summary>The call in ${names.join(' and ')}</summary>
${shown}</details>
`;
}

function toolTable({ deployment, live }: Reference): Html | null {
  const tools = offeredTools(live, new Set(deployment.disabledTools));
  if (tools.length === 0) return null;
  const rows = tools.map(({ tool, priceMicroUsd, keyOnly }) => {
    const price = keyOnly ? 'API key' : priceText({ priceMicroUsd });
    return html`<tr><th scope="row"><code>${tool.name}</code></th><td class="end">${price}</td></tr>\n`;
  });
  return priced('Tools', ['Tool'], rows);
}

function exampleOf({ id, operationId }: Route, { samples, envelope }: Reference): Html | null {
  const sample = samples.get(operationId);
  const stated = freeAnswers[id]?.example;
  if (sample === undefined && stated === undefined) return null;
  const value = sample === undefined ? stated : payloadOf(JSON.parse(sample), envelope);
  const note =
    sample === undefined
      ? null
      : html`<p class="quiet">From the sample release; lists are cut to their first entry. <a href="/samples/${operationId}">The whole answer</a>, with its receipt.</p>\n`;
  return html`<details><summary>Example</summary>
${note}${code(JSON.stringify(shortExample(value), null, 2), `Example of ${operationId}`)}</details>
`;
}

function payloadOf(answer: Readonly<Record<string, unknown>>, envelope: ReadonlySet<string>) {
  const own = Object.entries(answer).filter(([name]) => name !== 'sample' && !envelope.has(name));
  return Object.fromEntries(own);
}

function code(source: string, name: string): Html {
  const lines = source.split('\n').map((line) => html`${line}\n`);
  return html`<pre tabindex="0" role="region" aria-label="${name}"><code>${lines}</code></pre>
`;
}

function everyAnswer(fields: Reference['fields']): Html {
  const of = (resource: string) => fields.get(resource) ?? [];
  return html`<section class="group" aria-labelledby="every-answer">
<h2 id="every-answer">Every answer</h2>
<p>Paid answers carry these members beside their payload; what goes wrong is a problem (RFC 9457) with a code and a next step.</p>
<details><summary>The billing envelope</summary>
${fieldTable(of('envelope'), 'Members of the billing envelope')}</details>
<details><summary>A problem</summary>
${fieldTable(of('problem'), 'Members of a problem')}</details>
</section>
`;
}

const shownEntries = 1;
const longestText = 160;

function shortExample(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > longestText ? `${[...value].slice(0, longestText).join('')}…` : value;
  if (Array.isArray(value)) return value.slice(0, shownEntries).map(shortExample);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortExample(inner)]));
}

const referenceStyles = `
body>header h1{margin-top:1rem}
body>header .measure{margin-top:.5rem}
body>main{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem}
.contents summary{font-weight:600}
.contents ul{padding:0;list-style:none;font-size:.875rem}
.contents li{padding:.125rem 0}
@media screen and (max-width:47.99rem),screen and (pointer:coarse){.contents li{padding:0}}
.contents h2{margin-top:.75rem;font-size:.875rem}
.group{margin-top:2.5rem;padding-top:.75rem;border-top:2px solid var(--text)}
.group>h2{font-size:1.375rem}
.group>p{margin-top:.25rem}
.rows :is(th,td){overflow-wrap:anywhere}
.route{margin-top:2rem;padding-top:.75rem;border-top:1px solid var(--line)}
.route h3{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;font-size:1rem}
.route h3 code{font-size:.9375rem}
.route>p{margin-top:.25rem}
.route details{margin-top:.75rem}
.route pre{max-height:32rem;overflow:auto}
.terms{table-layout:fixed}
.terms code{font-size:.75rem}
.terms th:first-child{width:34%}
.terms td{overflow-wrap:anywhere}
@media (max-width:47.99rem){
.terms,.terms caption,.terms tbody,.terms tr,.terms td,.terms tbody th{display:block}
.terms thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.terms tr{padding:.375rem 0;border-top:1px solid var(--line)}
.terms td,.terms tbody th,.terms th:first-child{width:auto;padding:0;border:0}
.terms td:not(:last-child){display:inline;margin-right:.75rem;color:var(--quiet)}
.terms td:not(:last-child)::before{content:attr(data-label) " "}
}
@media (min-width:48rem){
.terms th:nth-child(2){width:16%}
.terms th:nth-child(3){width:9%}
.terms th:nth-child(4){width:7%}
.parameters .terms th:first-child{width:22%}
.parameters .terms th:nth-child(2){width:14%}
.parameters .terms th:nth-child(3){width:24%}
.parameters .terms th:nth-child(4){width:auto}
}
@media (min-width:64rem){
body>main{grid-template-columns:18rem minmax(0,1fr);gap:2.5rem}
.contents{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:1rem 0}
.contents summary{list-style:none;pointer-events:none}
.contents details::details-content{content-visibility:visible;block-size:auto}
.contents{overflow-wrap:normal}
.texts>*{max-width:46rem}
}
@media print{
body>main{display:block}
.contents details::details-content{columns:3;column-gap:1.25rem}
:is(.contents ul,.contents li){font-size:8pt}
.contents h2{font-size:8.5pt;break-after:avoid}
.contents h2:first-child{margin-top:0}
body{font-size:9pt;line-height:1.4}
.lede{font-size:10.5pt}
.group>h2{font-size:14pt}
.route{margin-top:1.25rem}
:is(.route h3,.route h3 code){font-size:9.5pt}
.route details{margin-top:.5rem}
.route pre{margin-top:.5rem;padding:.5rem;font-size:7.5pt;line-height:1.35}
pre code{font-size:inherit}
:is(.terms,.group>.rows){margin-top:.25rem;font-size:7.5pt;line-height:1.25}
.terms code{font-size:7pt}
.terms :is(th,td){padding:.1rem .375rem .1rem 0}
.group{break-before:page;border-top:0}
.route h3,.route>p{break-after:avoid}
.route pre{max-height:none;break-inside:auto}
}
`;

type Field = FieldContract['fields'][number];

function parameterTable(params: readonly Param[]): Html | null {
  if (params.length === 0) return null;
  return definitions({
    caption: 'Parameters',
    columns: ['Name', 'In', 'Takes', 'Meaning'],
    rows: params.map((param) => [
      param.name,
      html`${param.in}${param.required ? html`, <strong>required</strong>` : null}`,
      html`${takes(param)}`,
      html`${param.description}`,
    ]),
  });
}

function takes(param: Param): string {
  const {
    type,
    enum: values,
    minimum,
    maximum,
    minLength,
    maxLength,
    default: byDefault,
    format,
  } = parameterSchema(param) as Readonly<Record<string, string | number | readonly (string | number)[]>>;
  const kind = Array.isArray(values) ? values.join(', ') : String(format ?? type);
  const range = minimum === undefined ? '' : ` ${minimum} to ${maximum}`;
  const length = minLength === undefined ? '' : `, ${minLength} to ${maxLength} characters`;
  return `${kind}${range}${length}${byDefault === undefined ? '' : `; default ${byDefault}`}`;
}

function fieldTable(fields: readonly Field[], caption: string): Html {
  return definitions({
    caption,
    columns: ['Field', 'Type', 'Unit', 'Null', 'Meaning'],
    rows: fields.map((field) => {
      const { path, type, nullable, required, description, enum: values } = field;
      return [
        path,
        html`${type}${required ? null : ', optional'}`,
        html`${fieldUnit(field) ?? '–'}`,
        html`${nullable ? 'yes' : 'no'}`,
        html`${description}${values === null ? null : html` <span class="quiet">${values.join(', ')}</span>`}`,
      ];
    }),
  });
}

type Definitions = {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly [string, ...Html[]])[];
};

function definitions({ caption, columns, rows }: Definitions): Html {
  const head = columns.map((column) => html`<th scope="col">${column}</th>`);
  const body = rows.map(([name, ...cells]) => {
    const written = cells.map((cell, i) => html`<td data-label="${columns[i + 1] ?? ''}">${cell}</td>`);
    return html`<tr><th scope="row"><code>${breakable(name)}</code></th>${written}</tr>\n`;
  });
  return html`<table class="terms"><caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table>
`;
}

function breakable(name: string): Html[] {
  return name.split(/(?<=[._])/).map((part, i) => (i === 0 ? html`${part}` : html`<wbr>${part}`));
}

// units stand in the names of members (I1.8, STYLE of the contract) and, for amounts, in what the contract says they mean
const units: readonly (readonly [RegExp, string])[] = [
  [/micro_usd$/, 'micro-USD'],
  [/_usd$/, 'USD'],
  [/(_pct|percentage|percentile)$/, '%'],
  [/_bps$/, 'bp'],
  [/_ms$/, 'ms'],
  [/_seconds$/, 's'],
  [/_minutes$/, 'min'],
  [/_hours$/, 'h'],
  [/_days$/, 'd'],
  [/_utc$|_at$/, 'UTC'],
];

/** A member as the field contract describes it. */
type DescribedField = { readonly path: string; readonly type: string; readonly description: string };

/** The unit of a member: by its name, or of a number by its meaning; null where neither states one. */
export function fieldUnit({ path, type, description }: DescribedField): string | null {
  const name = path.replace(/(\[\]|\.\*)+$/, '');
  const named = units.find(([ending]) => ending.test(name))?.[1];
  if (named !== undefined) return named;
  if (!/^(?:number|integer)$/.test(type)) return null;
  if (/^USD per coin\b/.test(description)) return 'USD a coin';
  return /(?:, |\bin )USD\b/.test(description) ? 'USD' : null;
}
