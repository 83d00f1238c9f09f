import { requirements } from '../../../data/contract/billing/requirement.ts';
import type { Deployment } from '../../../data/contract/emit/deployment.ts';
import type { Route } from '../../../data/contract/routes/route.ts';
import { type Html, html } from './html.ts';
import { priceText } from './priceText.ts';

/** What a first call is shown with. */
export type FirstCall = {
  readonly route: Route;
  readonly deployment: Deployment;
  /** An issuer that answers. */
  readonly ticker: string;
};

/** A first call in three steps, with what the server answers to the first of them (V58, I5.8). */
export function firstCall({ route, deployment, ticker }: FirstCall): Html {
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
<h2 id="first-call">A first call</h2>
<pre tabindex="0" role="region" aria-label="The first call"><code>curl -i ${url}\n</code></pre>
<ol>
${steps}</ol>
${answer === null ? null : html`<pre tabindex="0" role="region" aria-label="Its answer"><code>${answer.map((line) => html`${line}\n`)}</code></pre>\n`}</section>
`;
}

/** The lines and members of the 402 that a payer needs, as the server sends them. */
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
