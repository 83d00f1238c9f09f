import { requirements } from '../../../data/contract/billing/requirement.ts';
import type { Deployment } from '../../../data/contract/emit/deployment.ts';
import { type RouteTag, routeTag } from '../../../data/contract/emit/routeTags.ts';
import type { LandingFigures } from '../../../data/contract/payloads/universe/landing.ts';
import { isRailOn } from '../../../data/contract/routes/paymentRail.ts';
import type { Route } from '../../../data/contract/routes/route.ts';
import { screeningAid, tierMeaning } from '../../../data/contract/values/disclaimer.ts';
import { isLastNight } from '../../../data/contract/values/instant.ts';
import { capital, countText } from '../chart/figures.ts';
import { stressLadder } from '../chart/stressLadder.ts';
import { writeChartSvg } from '../chart/writeChartSvg.ts';
import { figureCard } from './figureCard.ts';
import { breakablePath, type Html, html, priceText } from './html.ts';
import { shell } from './shell.ts';

const landingStyles = `
h1{font-size:clamp(1.5rem,1rem + 2.4vw,2.5rem);line-height:1.2}
body>header{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline}
.hero{display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem}
:is(.ask,.night){display:contents}
.question{order:-2}
.night .figures{order:-1;margin-top:0}
.call{order:1}
.hero .card{margin-top:.75rem}
.card>svg{max-width:30rem}
.call ol{margin-top:.75rem;padding-left:1.25rem}
.call li::marker{color:var(--quiet)}
.call pre{margin-top:.5rem;white-space:pre-wrap;overflow-wrap:anywhere}
.more{margin-top:2.5rem;padding-top:.75rem;border-top:2px solid var(--text)}
.more>p{margin-top:.25rem;max-width:46rem}
.more h3{margin-top:1.25rem}
.prices{margin-top:1.5rem;font-size:.875rem}
.prices caption{color:var(--text);font-size:1rem;font-weight:600}
.prices tr{display:grid;grid-template-columns:minmax(0,1fr) auto;column-gap:1rem;padding:.375rem 0;border-top:1px solid var(--line)}
.prices thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.prices th,.prices td{display:block;padding:0;border:0}
.prices tbody th{grid-column:1/-1}
.prices td{align-self:center}
.sample{margin-top:.5rem}
.readers{display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem 2rem}
.readers dd{margin:0;color:var(--quiet);font-size:.9375rem;line-height:1.45}
.call>p{color:var(--quiet);font-size:.9375rem}
@media screen and (min-width:48rem){
.readers{grid-template-columns:repeat(2,minmax(0,1fr))}
.prices,.prices caption{display:table;width:100%}
.prices caption{display:table-caption}
.prices thead{position:static;width:auto;height:auto;clip-path:none;display:table-header-group}
.prices tbody{display:table-row-group}
.prices tr{display:table-row}
.prices th,.prices td{display:table-cell;padding:.375rem 1rem .375rem 0;border-top:1px solid var(--line)}
.prices thead th{border-top:0}
.prices th:first-child{width:46%}
.prices tr>:last-child{width:7rem;padding-right:0}
}
@media screen and (max-width:47.99rem){.lede{font-size:1rem}}
@media screen and (min-width:64rem){
.hero{grid-template-columns:minmax(0,10fr) minmax(0,7fr);gap:3rem}
:is(.ask,.night){display:block}
.readers,.call{margin-top:1rem}
.call :is(ol,pre){margin-top:.5rem}
.night .figures{grid-template-columns:repeat(2,minmax(0,1fr));margin-top:1.25rem}
.hero .card{margin-top:2.5rem}
}
@page{margin:7mm 11mm}
@media print{
body{font-size:7.5pt;line-height:1.24}
h1{font-size:13pt}
h2,h3{font-size:9pt}
body>header,body>footer{padding-top:0;padding-bottom:0}
body>footer,.prices{font-size:6.5pt}
body>footer::before{margin-bottom:.25rem}
body>footer p+p{margin-top:.125rem}
body>footer,.more{margin-top:.5rem;padding-top:.375rem}
.lede{font-size:8.5pt}
.night .figures{margin-top:.5rem;padding:.375rem 0}
.figures dt,.figures dd small{font-size:7.5pt}
.figures dd{font-size:10pt}
.hero{grid-template:auto auto auto 1fr/minmax(0,10fr) minmax(0,9fr);gap:0 1.25rem}
:is(.question,.readers,.call,.night .figures){grid-column:1}
.hero .card{grid-area:1/2/5;margin-top:0}
.call{margin-top:.5rem}
.call pre{margin-top:.25rem;padding:.375rem;line-height:1.35}
.call ol{margin-top:.375rem}
:is(.call pre,code){font-size:6.5pt}
.card table{margin-top:.25rem;font-size:6.5pt;line-height:1.2}
.card th,.card td{padding-top:.05rem;padding-bottom:.05rem}
.card>svg{width:72%}
.card>svg,.card>details{margin-top:.25rem}
.card summary{display:none}
.offered{columns:2;column-gap:1.25rem}
.offered>h2,.offered>p{column-span:all}
.prices{margin-top:.25rem;line-height:1.2}
.prices caption{padding:0;font-size:8pt}
.prices tr{padding:.05rem 0}
.prices thead{display:none}
.prices td a{text-decoration:none}
.readers{grid-template-columns:repeat(2,minmax(0,1fr));gap:.5rem 1rem;margin-top:.375rem}
.readers dd{font-size:7pt}
.call>p{font-size:7pt}
}
`;

/** What the landing page is made from. */
export type LandingInput = {
  readonly deployment: Deployment;
  /** Routes as they are priced now. */
  readonly routes: readonly Route[];
  /** Date of the newest slice; null before the first night. */
  readonly sourceDate: string | null;
  /** Whole days since that date; null before the first night. */
  readonly ageDays: number | null;
  /** Figures of that slice; null where it was made without any. */
  readonly figures: LandingFigures | null;
};

const question = 'How solvent is each public company that holds crypto if coins fall by half?';

/** The landing page: the question, the last night's answer, a first call, what can be asked at which price (V58). */
export function landingPage(input: LandingInput): string {
  const { deployment, routes, sourceDate, figures } = input;
  const live = routes.filter(({ status }) => status === 'live');
  return shell({
    title: 'Issuer Intelligence: solvency of public companies that hold crypto',
    description: question,
    skip: 'Skip to the figures',
    header: html`<strong>Issuer Intelligence</strong>
<nav aria-label="Documents"><ul>
${doors(live)}</ul></nav>
`,
    main: html`<div class="hero">
<div class="ask">
<div class="question"><h1>${question}</h1>
<p class="lede">Debt and coins as filed with the SEC, repriced every night; every figure names its filing.</p>
${samplePage(live)}</div>
${readers()}${firstCall(input, live)}</div>
<div class="night">
${headline(live, input)}${figures === null ? withoutLadder(sourceDate) : ladderOf(figures)}</div>
</div>
${offered(deployment, live)}`,
    footer: html`<p>This page is free and sends nothing. The same address answers JSON to <code>Accept: application/json</code>.</p>
<p>${capital(tierMeaning)}. ${screeningAid}</p>
`,
    styles: landingStyles,
  });
}

const doorNames: readonly (readonly [string, string])[] = [
  ['F19', 'Reference'],
  ['F08', 'Companies'],
  ['F07', 'OpenAPI'],
  ['F06', 'Help'],
  ['F12', 'For agents'],
];

function doors(live: readonly Route[]): Html[] {
  const found = doorNames.flatMap(([id, name]) => {
    const route = live.find((one) => one.id === id);
    return route === undefined ? [] : [html`<li><a href="${route.path}">${name}</a></li>\n`];
  });
  return [html`<li><a href="#prices">Prices</a></li>\n`, ...found];
}

function headline(live: readonly Route[], { sourceDate, ageDays, figures }: LandingInput): Html {
  const [least] = live.filter(isSold).toSorted((a, b) => a.priceMicroUsd - b.priceMicroUsd);
  const facts = [
    dateFact(sourceDate, ageDays),
    ...(figures === null ? [] : nightFacts(figures)),
    ...(least === undefined ? [] : [['One call from', html`${priceText(least)}`] as const]),
  ];
  return html`<dl class="figures">
${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
`;
}

type Fact = readonly [string, Html];

/** A slice is that of last night until the day after its date ends; it always says how old it is. */
function dateFact(sourceDate: string | null, ageDays: number | null): Fact {
  if (sourceDate === null) return ['Last night', html`none yet`];
  const days = ageDays ?? 0;
  const age = days === 0 ? 'of today' : days === 1 ? '1 day old' : `${countText(days)} days old`;
  const day = html`<time datetime="${sourceDate}">${sourceDate}</time> <small>${age}</small>`;
  return [isLastNight(ageDays) ? 'Last night' : 'Last slice', day];
}

function nightFacts({ issuer_count, critical }: LandingFigures): Fact[] {
  const count = countText(critical.live ?? critical.filing);
  const beside = critical.live === null ? 'by the filings' : `as filed ${countText(critical.filing)}`;
  return [
    ['Companies covered', html`${countText(issuer_count)}`],
    [
      critical.live === null ? 'CRITICAL' : 'CRITICAL at live prices',
      html`${count} <small>${beside}</small>`,
    ],
  ];
}

// sized for a phone: a wider card shows larger text, a phone no smaller one (V38)
const chartWidth = 360;

function withoutLadder(sourceDate: string | null): Html {
  const text =
    sourceDate === null
      ? 'The most stressed issuers stand here after the first night.'
      : `The slice of ${sourceDate} was published without these figures; the next night brings them.`;
  return figureCard({
    id: 'stress-ladder',
    heading: 'No ladder yet',
    paragraphs: [text],
    svg: null,
    table: null,
  });
}

function ladderOf(figures: LandingFigures): Html {
  const { ladder: rows, bands, source_date: sourceDate } = figures;
  const chart = stressLadder({ rows, bands, sourceDate, width: chartWidth });
  return figureCard({
    id: chart.id,
    heading: chart.finding,
    paragraphs: [chart.sentence],
    svg: writeChartSvg(chart, { theme: 'light', idPrefix: 'landing-', faces: 'none' }),
    table: chart.table,
    csv: {
      fileName: `issuer-intelligence-${sourceDate}-${chart.id}`,
      source: 'filings with the SEC, stored closes',
      day: sourceDate,
    },
    names: new Map(
      rows.flatMap(({ ticker, entity_name: name }) => (name === undefined ? [] : [[ticker, name] as const])),
    ),
  });
}

const isSold = ({ family, priceMicroUsd }: Route): boolean => family === 'v1' && priceMicroUsd > 0;

const groups: readonly (readonly [RouteTag, string])[] = [
  ['Issuers', 'One company'],
  ['Slice', 'The whole universe on one date'],
  ['Products', 'Perpetual contracts around them'],
];

const takesPayments = (deployment: Deployment): boolean =>
  isRailOn(deployment, 'x402') || isRailOn(deployment, 'mpp');

function paidBy(deployment: Deployment): string {
  return takesPayments(deployment)
    ? 'pay with a stablecoin, without an account'
    : 'call with an API key or a grant';
}

function offered(deployment: Deployment, live: readonly Route[]): Html {
  const exact = takesPayments(deployment) ? ', and the 402 before each payment states the exact price' : '';
  const tables = groups.flatMap(([tag, name]) => {
    const routes = live.filter((route) => isSold(route) && routeTag(route) === tag);
    return routes.length === 0 ? [] : [priceTable(name, routes)];
  });
  return html`<section class="more offered" aria-labelledby="prices">
<h2 id="prices">What you can ask, and what it costs</h2>
<p>Prices in US dollars, by the answer. A question without an answer is a 404 that costs nothing${exact}. Each name leads to fields, an example and a complete sample answer.</p>
${tables}</section>
`;
}

function priceTable(name: string, routes: readonly Route[]): Html {
  const rows = routes.map(
    (route) =>
      html`<tr><th scope="row">${route.description}</th><td><a href="/reference#${route.operationId}"><code>${breakablePath(route.path)}</code></a></td><td class="end">${priceText(route)}</td></tr>\n`,
  );
  return html`<table class="prices"><caption>${name}</caption>
<thead><tr><th scope="col">Answer</th><th scope="col">Path</th><th scope="col" class="end">Price</th></tr></thead>
<tbody>
${rows}</tbody></table>
`;
}

/** The page of one issuer as it is sold, one step away and free. */
function samplePage(live: readonly Route[]): Html | null {
  const sold = live.find(({ operationId }) => operationId === 'getCompanyReport');
  if (sold === undefined || live.every(({ id }) => id !== 'F20')) return null;
  return html`<p class="sample"><a href="/samples/getCompanyReport">Read the whole page of one company</a>, free; any other costs ${priceText(sold)}.</p>
`;
}

function readers(): Html {
  return html`<dl class="readers">
<div><dt>For treasurers</dt>
<dd>Your place among peers, what falls of 30, 50 and 70 percent do to your ratio and your loans, and which filing moved it.</dd></div>
<div><dt>For credit analysts</dt>
<dd>Debt, coins and claims of every issuer on one scale, as filed and at last night’s prices, each table as CSV.</dd></div>
</dl>
`;
}

/** A first call in three steps, with what the server answers to the first of them (V58, I5.8); null without an issuer. */
function firstCall({ deployment, figures }: LandingInput, live: readonly Route[]): Html | null {
  const route = live.find(({ id }) => id === 'R11');
  const ticker = figures?.example_ticker ?? null;
  if (route === undefined || ticker === null) return null;
  const url = `${deployment.baseUrl}${route.path.replace('{ticker}', ticker)}`;
  const { payTo } = deployment.x402;
  const price = priceText(route);
  const steps =
    payTo === null
      ? [
          html`<li>Ask. This server takes no payments by itself: <a href="/help">help</a> says who gives out a key.</li>\n`,
          html`<li>Ask again with <code>X-API-Key</code>: the figures, their filings, and a digest against the <a href="/.well-known/artifact-manifest.json">signed manifest</a>.</li>\n`,
        ]
      : [
          html`<li>Ask. Nothing is charged: the answer is a 402 that names the price, ${price}, and where to pay it.</li>\n`,
          html`<li>Sign one entry of <code>accepts</code>. Any <a href="https://www.x402.org/">x402</a> client does it for you; no account.</li>\n`,
          html`<li>Ask again with the payment: the figures, their filings, a receipt, and a digest against the <a href="/.well-known/artifact-manifest.json">signed manifest</a>.</li>\n`,
        ];
  const answer = payTo === null ? null : shown402(route, deployment, payTo);
  return html`<section class="call" aria-labelledby="first-call">
<h2 id="first-call">For developers and agents: a first call</h2>
<p>JSON over HTTP and MCP; ${paidBy(deployment)}.</p>
<pre tabindex="0" role="region" aria-label="The first call"><code>curl -i ${url}\n</code></pre>
<ol>
${steps}</ol>
${answer === null ? null : html`<pre tabindex="0" role="region" aria-label="Its answer"><code>${answer.map((line) => html`${line}\n`)}</code></pre>\n`}</section>
`;
}

function shown402({ priceMicroUsd }: Route, deployment: Deployment, payTo: string): readonly string[] {
  const entries = requirements({ deployment, amountMicroUsd: priceMicroUsd, payTo, provider: 'x402_exact' });
  const price = priceMicroUsd / 1_000_000;
  return [
    'HTTP/1.1 402 Payment Required',
    `X-Quoted-Cost-USD: ${price.toFixed(6)}`,
    '',
    `{ "status": 402, "quoted_cost_usd": ${price},`,
    `  "accepts": [${entries.map((entry) => memberLines(entry).join('\n')).join(', ')}] }`,
  ].flatMap((line) => line.split('\n'));
}

/** A JSON object with its members one a line, short ones joined. */
function memberLines(entry: object): string[] {
  const members = Object.entries(entry).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  const lines: string[] = [];
  for (const member of members) {
    const last = lines.at(-1);
    const joined = last === undefined ? member : `${last}, ${member}`;
    if (last === undefined || joined.length > widest) lines.push(member);
    else lines[lines.length - 1] = joined;
  }
  return lines.map((line, i) => `${i === 0 ? '{ ' : '    '}${line}${i === lines.length - 1 ? ' }' : ','}`);
}

const widest = 60;
