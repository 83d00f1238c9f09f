import { paidRails } from '../routes/paymentRail.ts';
import type { Param, Route } from '../routes/route.ts';
import type { Deployment } from './deployment.ts';
import { freeAnswers } from './freeAnswers.ts';
import examples from './freeExamples.json' with { type: 'json' };
import { exampleValue } from './jsonSchema.ts';

/** One way to call an operation, ready to paste. */
export type CodeSample = { readonly lang: string; readonly label: string; readonly source: string };

/**
 * Samples of one operation. A paid one: its price seen without a credential and the call paid by a client of its family,
 * where that rail is on; the call with an API key. A free one, and a free tool, is simply called; what only a provider calls has none.
 */
export function codeSamples(route: Route, deployment: Deployment): readonly CodeSample[] {
  const call = callOf(route, deployment.baseUrl);
  if (freeAnswers[route.id]?.calledBy === 'provider') return [];
  const python = { lang: 'Python', label: 'requests', source: pythonOf(call) };
  const isPaid = route.priceMicroUsd > 0 && route.family !== 'mcp';
  if (!isPaid || paidRails(route, 'http', deployment).length === 0) {
    const curl = { lang: 'Shell', label: 'curl', source: curlOf(call) };
    return [curl, { lang: 'JavaScript', label: 'fetch', source: fetchOf(call) }, python];
  }
  const price = `# the price, without paying\n${curlOf({ ...call, headers: {}, show: '-si' })}`;
  const curl = { lang: 'Shell', label: 'curl', source: `${price}\n# with an API key\n${curlOf(call)}` };
  const paid =
    route.family === 'mpp'
      ? { lang: 'JavaScript', label: 'mppx', source: mppOf(call.url) }
      : { lang: 'JavaScript', label: '@x402/fetch', source: x402Of({ ...call, headers: {} }) };
  return [curl, paid, python];
}

/** The same call in three languages, with an API key where it is priced; none of what only a provider calls (V59). */
export function languageSamples(route: Route, deployment: Deployment): readonly CodeSample[] {
  const [curl] = codeSamples(route, deployment);
  if (curl === undefined) return [];
  const call = callOf(route, deployment.baseUrl);
  return [
    curl,
    { lang: 'Python', label: 'requests', source: pythonOf(call) },
    {
      lang: 'TypeScript',
      label: 'fetch',
      source: fetchOf(call).replace(/(process\.env\.\w+),/g, "$1 ?? '',"),
    },
  ];
}

/** What a caller sends in the body, by the examples of its members; null for an operation without one. */
export function bodyExample(params: readonly Param[]): Readonly<Record<string, unknown>> | null {
  const shown = params.filter((param) => param.in === 'body' && exampleValue(param) !== undefined);
  if (shown.length === 0) return null;
  return Object.fromEntries(shown.map((param) => [param.name, exampleValue(param)]));
}

type Call = {
  readonly method: string;
  readonly url: string;
  /** `-s`, or `-si` to show the headers as well. */
  readonly show: '-s' | '-si';
  /** A value that begins with `$` is one of the caller's environment. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly isText: boolean;
};

function callOf(route: Route, baseUrl: string): Call {
  const { headers = [], security } = freeAnswers[route.id] ?? {};
  const own = headers.filter(({ required }) => required).map(({ name, example }) => [name, example]);
  const token = security === undefined ? [] : [['X-Svc-Grant-Token', '$TOKEN']];
  const key = route.family === 'free' || route.family === 'mcp' ? [] : [['X-API-Key', '$KEY']];
  const { answer } = route;
  return {
    method: route.method,
    url: `${baseUrl}${route.examplePath}`,
    show: '-s',
    headers: Object.fromEntries([...key, ...token, ...own]),
    body: route.family === 'mcp' ? examples.ToolRequest : bodyExample(route.params),
    isText: answer?.kind === 'security' || (answer?.kind === 'document' && answer.mediaType !== undefined),
  };
}

const isEnvironment = (value: string): boolean => value.startsWith('$');

function curlOf({ method, url, show, headers, body }: Call): string {
  return [
    `curl ${show}${method === 'GET' ? '' : ` -X ${method}`} "${url}"`,
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === null ? [] : [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body)}'`]),
  ].join(' \\\n  ');
}

function fetchOf(call: Call): string {
  const { url, isText } = call;
  return `const answer = await fetch('${url}'${sentWith(call)});\nconsole.log(answer.status, await answer.${isText ? 'text' : 'json'}());`;
}

/** The second argument of a `fetch`; nothing for a plain GET. */
function sentWith({ method, headers, body }: Call): string {
  const given = Object.entries({
    ...headers,
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
  }).map(([name, value]) => `    '${name}': ${inJavaScript(value)},`);
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(given.length === 0 ? [] : ['  headers: {', ...given, '  },']),
    ...(body === null ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),`]),
  ];
  return options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
}

const inJavaScript = (value: string): string =>
  isEnvironment(value) ? `process.env.${value.slice(1)}` : `'${value}'`;

function pythonOf({ method, url, headers, body, isText }: Call): string {
  const environment = Object.values(headers).some(isEnvironment);
  const given = Object.entries(headers).map(([name, value]) =>
    isEnvironment(value) ? `"${name}": os.environ["${value.slice(1)}"]` : `"${name}": "${value}"`,
  );
  const options = [
    `"${url}"`,
    ...(given.length === 0 ? [] : [`headers={${given.join(', ')}}`]),
    ...(body === null ? [] : [`json=${inPython(body)}`]),
    'timeout=30',
  ];
  return [
    ...(environment ? ['import os', ''] : []),
    'import requests',
    '',
    `answer = requests.${method.toLowerCase()}(\n    ${options.join(',\n    ')},\n)`,
    `print(answer.status_code, answer.${isText ? 'text' : 'json()'})`,
  ].join('\n');
}

/** A JSON value as Python writes it: texts and numbers are alike in both. */
function inPython(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(inPython).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${inPython(inner)}`);
  return `{${members.join(', ')}}`;
}

// the official clients, as the judges of this project use them

function x402Of(call: Call): string {
  return `import { x402Client } from '@x402/core/client';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

const signer = privateKeyToAccount(process.env.PRIVATE_KEY);
const buy = wrapFetchWithPayment(fetch, registerExactEvmScheme(new x402Client(), { signer }));
const answer = await buy('${call.url}'${sentWith(call)});
console.log(answer.status, await answer.json());`;
}

function mppOf(url: string): string {
  return `import { Mppx, tempo } from 'mppx/client';
import { privateKeyToAccount } from 'viem/accounts';

const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const buyer = Mppx.create({ polyfill: false, methods: [tempo.charge({ account })] });
const answer = await buyer.fetch('${url}');
console.log(answer.status, await answer.json());`;
}
