import type { SurfaceOperation } from '../../data/contract/payloads/audit/auditRun.ts';
import { perpRankings } from '../../data/contract/payloads/market/perpRankings.ts';
import { payloads, type SchemaId } from '../../data/contract/payloads/payloads.ts';
import { covenantStressList } from '../../data/contract/payloads/universe/covenantStressList.ts';
import { topStressed } from '../../data/contract/payloads/universe/topStressed.ts';
import type { Param, Route } from '../../data/contract/routes/route.ts';
import type { Ask, AuditAnswer, AuditClient } from './auditClient.ts';
import { failed, notApplicable, type Verdict, verdictOf } from './verdicts.ts';

type Scope = {
  readonly client: AuditClient;
  readonly ask: Ask;
  readonly routes: readonly Route[];
  readonly isCurrent: boolean;
  /** Keys of the artifacts that the release was published without because they could not be made (M6.6c). */
  readonly leftOutArtifacts: readonly string[];
};

/** What the slice has of each kind of subject; null where it has none. */
type Subject = {
  readonly issuer: string | null;
  readonly product: string | null;
  /** What the subjects lack by right; any other miss is a failure. */
  readonly lacking: ReadonlySet<string>;
};

const keysNamed = 5;

/** What an issuer or a product may lack by right: nothing changed, no registry, no evidence, a first night (I7.6). */
const lacking: ReadonlySet<string> = new Set([
  'no_artifact_for_source_date',
  'registry_missing',
  'historical_field_map_missing',
  'raw_evidence_missing',
  'not_published',
]);

/**
 * Operations over everything that is sold (M13.8): each live route and each tool answers for a subject of the current
 * slice, the route with what its schema says, the tool with its data and a text.
 */
export const surfaceChecks: Readonly<Record<SurfaceOperation, (scope: Scope) => Promise<Verdict>>> = {
  async every_route({ client, ask, routes, isCurrent, leftOutArtifacts }) {
    // their routes answer `not_published`, which here is no right of the subject
    if (leftOutArtifacts.length > 0) return failed(leftOutReason(leftOutArtifacts));
    if (!isCurrent) return notApplicable('past_slice');
    const subject = await subjectOf(client);
    const problems: string[] = [];
    for (const route of routes.filter(isSold)) {
      const values = valuesFor(route, subject);
      if (values === null) continue;
      const problem = routeProblem(await askRoute(ask, route, values), { route, subject });
      if (problem !== null) problems.push(`${route.operationId}: ${problem}`);
    }
    return verdictOf(problems);
  },

  async every_tool({ client, ask, routes, isCurrent }) {
    if (!isCurrent) return notApplicable('past_slice');
    if (!routes.some(({ family, status }) => family === 'mcp' && status === 'live'))
      return notApplicable('route_pending');
    const subject = await subjectOf(client);
    const tools = toolsIn(await ask('/mcp', frame('tools/list', {})));
    if (tools === null) return verdictOf(['tools/list: the answer is no list of tools']);
    const problems: string[] = [];
    for (const tool of tools) {
      const args = argumentsFor(tool, subject);
      if (args === null) continue;
      const problem = toolProblem(
        await ask('/mcp', frame('tools/call', { name: tool.name, arguments: args })),
        subject,
      );
      if (problem !== null) problems.push(`${tool.name}: ${problem}`);
    }
    return verdictOf(problems);
  },
};

/** Names the first keys: the manifest has all of them. */
function leftOutReason(keys: readonly string[]): string {
  const more = keys.length - keysNamed;
  const named = keys.slice(0, keysNamed).join(', ');
  return `left_out_artifacts: ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

const isSold = ({ status, family, priceMicroUsd }: Route): boolean =>
  status === 'live' && family === 'v1' && priceMicroUsd > 0;

/**
 * The most stressed issuer, which has a figure and, unless it is the only judged one, a rank (M4.5); without a judged
 * issuer the first of the screen; and the first ranked product.
 */
async function subjectOf(client: AuditClient): Promise<Subject> {
  const stressed = await client.ask('R05', '/v1/top-stressed?limit=1', topStressed.schema);
  const ranked = await client.ask('R16', '/v1/market-core/perps/rankings?limit=1', perpRankings.schema);
  const judged = 'payload' in stressed ? stressed.payload.value : null;
  const issuer = judged?.data[0]?.cik ?? (await firstOfScreen(client));
  const isRanked = (judged?.meta.total ?? 0) > 1;
  return {
    issuer,
    product: 'payload' in ranked ? (ranked.payload.value.data[0]?.product ?? null) : null,
    lacking: new Set([
      ...lacking,
      ...(isRanked ? [] : ['issuer_not_ranked']),
      // a first slice without a row has no history
      ...(issuer === null ? ['no_rows_in_range'] : []),
    ]),
  };
}

async function firstOfScreen(client: AuditClient): Promise<string | null> {
  const screen = await client.ask('R12', '/v1/covenant-stress?limit=1', covenantStressList.schema);
  return 'payload' in screen ? (screen.payload.value.data[0]?.cik ?? null) : null;
}

type Values = ReadonlyMap<Param, string>;

/** Values of what a route must be sent; null where the slice has no such subject. */
function valuesFor(
  { params, requireOneOf = [], scope }: Pick<Route, 'params' | 'requireOneOf' | 'scope'>,
  subject: Subject,
): Values | null {
  // a slice without market data has no list of products either
  if (scope === 'product' && subject.product === null) return null;
  const [first] = requireOneOf;
  const values = new Map<Param, string>();
  for (const param of params) {
    if (!param.required && param.name !== first) continue;
    const value = sentFor(param, subject);
    if (value === null) return null;
    values.set(param, value);
  }
  return values;
}

function sentFor({ type, example }: Param, { issuer, product }: Subject): string | null {
  switch (type.kind) {
    case 'ticker':
    case 'cik':
      return issuer;
    case 'product':
      return product;
    default:
      return example ?? null;
  }
}

function askRoute(ask: Ask, { path, method }: Route, values: Values): Promise<AuditAnswer> {
  const of = (place: Param['in']) => [...values].filter(([param]) => param.in === place);
  const full = of('path').reduce((text, [{ name }, value]) => text.replace(`{${name}}`, value), path);
  const query = new URLSearchParams(of('query').map(([{ name }, value]) => [name, value])).toString();
  const target = query === '' ? full : `${full}?${query}`;
  return method === 'GET'
    ? ask(target)
    : ask(target, Object.fromEntries(of('body').map(([{ name }, value]) => [name, value])));
}

/** null: it answered as its schema says, or said that the subject lacks it. */
function routeProblem(
  answer: AuditAnswer,
  { route: { schemaId }, subject }: { readonly route: Route; readonly subject: Subject },
): string | null {
  const body = jsonIn(answer);
  if (answer.status === 404 && isLacking(body, subject)) return null;
  if (answer.status !== 200) return `status ${answer.status} ${String(body?.['code'] ?? '')}`.trim();
  const payload = schemaId === null ? undefined : payloads[schemaId as SchemaId];
  const parsed = payload?.schema.safeParse(body);
  if (parsed === undefined || parsed.success) return null;
  const [issue] = parsed.error.issues;
  return `schema: ${issue?.path.join('.') || 'payload'}: ${issue?.message ?? 'invalid'}`;
}

type ListedTool = { readonly name: string; readonly required: readonly string[] };

const frame = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });

/** The tools of the intel family; those that draw are asked by a key of their own and have no subject here. */
function toolsIn(answer: AuditAnswer): readonly ListedTool[] | null {
  const listed = member(jsonIn(answer)?.['result'], 'tools');
  if (!Array.isArray(listed)) return null;
  return listed
    .map((tool: unknown) => ({
      name: String(member(tool, 'name')),
      required: (member(member(tool, 'inputSchema'), 'required') ?? []) as readonly string[],
    }))
    .filter(({ name }) => name.startsWith('intel_'));
}

function argumentsFor(
  { name, required }: ListedTool,
  { issuer, product }: Subject,
): Readonly<Record<string, string>> | null {
  const values: Readonly<Record<string, string | null>> = { ticker: issuer, cik: issuer, product };
  const args: Record<string, string> = {};
  // of these either of two arguments does, so neither is required
  const eitherOf = ['intel_daily_change_evidence', 'intel_field_map'].includes(name);
  const asked = eitherOf && required.length === 0 ? ['ticker'] : required;
  for (const argument of asked) {
    const value = values[argument];
    if (value === undefined || value === null) return null;
    args[argument] = value;
  }
  return args;
}

/** null: it has data and a text, or it said that the subject lacks it. */
function toolProblem(answer: AuditAnswer, subject: Subject): string | null {
  const result = jsonIn(answer)?.['result'];
  const content = member(result, 'structuredContent');
  if (answer.status !== 200 || content === undefined) return `status ${answer.status}, no result`;
  if (member(result, 'isError') === true) {
    const error = member(content, 'error');
    return isLacking(error, subject) ? null : `refused: ${String(member(error, 'code'))}`;
  }
  const texts = member(result, 'content');
  const text = Array.isArray(texts) ? member(texts[0], 'text') : undefined;
  if (typeof text !== 'string' || text === '') return 'it has no text';
  return typeof member(content, 'data') === 'object' ? null : 'it has no data';
}

/** A refusal for want of evidence has a form of its own, without a reason (I4.R03.5). */
function isLacking(refusal: unknown, { lacking: byRight }: Subject): boolean {
  return (
    byRight.has(String(member(refusal, 'reason_code'))) ||
    member(refusal, 'request_key') === 'daily_change_evidence'
  );
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function jsonIn({ bytes }: AuditAnswer): Readonly<Record<string, unknown>> | undefined {
  const value = parsed(bytes.toString('utf8'));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
