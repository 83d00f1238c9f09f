import type { z } from 'zod';
import { dateParameter } from '../../data/contract/routes/param.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { failed, skipped, type Verdict, verdictOf } from './verdicts.ts';

/** One answer as a client sees it. */
export type AuditAnswer = {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Buffer;
};

/** Asks the server's own handler, with a body by POST; no socket, an operator's access (M13.10). */
export type Ask = (target: string, body?: object) => Promise<AuditAnswer>;

export type Payload<T> = { readonly value: T; readonly answer: AuditAnswer };
export type Asked<T> =
  | { readonly payload: Payload<T> }
  | { readonly verdict: Verdict; readonly status: number };

/** Asks routes by their id, at one source_date, and parses what they answer by the contract. */
export type AuditClient = {
  /** True when this build serves the route. */
  serves(routeId: string): boolean;
  ask<S extends z.ZodType>(routeId: string, target: string, schema: S): Promise<Asked<z.infer<S>>>;
};

/** Routes a backfilled release answers: its row stores (I4.36) and the histories of the current release. */
const backfilledRoutes: ReadonlySet<string> = new Set([
  ...['R06', 'R08', 'R09', 'R10', 'R11', 'R12'],
  ...['R23', 'R24'],
]);

/**
 * @param sourceDate asked for on every route that can; null asks for the current slice
 * @param rowStoresOnly the slice is backfilled: a route it does not hold has to refuse, and is not audited (I4.36)
 */
export function auditClient({
  ask,
  routes,
  sourceDate,
  rowStoresOnly,
}: {
  ask: Ask;
  routes: readonly Route[];
  sourceDate: string | null;
  rowStoresOnly: boolean;
}): AuditClient {
  const byId = new Map(routes.map((route) => [route.id, route]));
  return {
    serves: (routeId) => byId.get(routeId)?.status === 'live',
    async ask(routeId, target, schema) {
      const route = byId.get(routeId);
      if (route?.status !== 'live') return { verdict: skipped('route_pending'), status: 501 };
      const dated = datedTarget(target, { route, sourceDate });
      if (dated === null) return { verdict: skipped('route_without_source_date'), status: 0 };
      const answer = await ask(dated);
      if (answer.status !== 200) {
        const said = `status ${answer.status} ${codeOf(answer)}`;
        const isRight = rowStoresOnly && !backfilledRoutes.has(routeId) && said === notHeld;
        return { verdict: isRight ? skipped('backfilled_slice') : failed(said), status: answer.status };
      }
      const json = parsedJson(answer);
      if (json === undefined) return { verdict: failed('the answer is not JSON'), status: 200 };
      const parsed = schema.safeParse(json);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const where = issue?.path.join('.') || 'payload';
        return { verdict: failed(`schema: ${where}: ${issue?.message ?? 'invalid'}`), status: 200 };
      }
      return { payload: { value: parsed.data as never, answer } };
    },
  };
}

const notHeld = 'status 404 not_found no_artifact_for_source_date';

/** The target for the slice of a date, the current one without it; null where the route answers of no other. */
function datedTarget(
  target: string,
  { route, sourceDate }: { route: Route; sourceDate: string | null },
): string | null {
  if (sourceDate === null) return target;
  const name = dateParameter(route);
  return name === null ? null : `${target}${target.includes('?') ? '&' : '?'}${name}=${sourceDate}`;
}

/** `code` of a problem, with its `reason_code` where it has one. */
function codeOf(answer: AuditAnswer): string {
  try {
    const problem = JSON.parse(answer.bytes.toString('utf8')) as Record<string, unknown>;
    const parts = [problem['code'], problem['reason_code'], problem['unranked_reason']];
    return parts.filter((part) => typeof part === 'string').join(' ');
  } catch {
    return 'without a problem body';
  }
}

/** undefined when the bytes are no JSON. */
function parsedJson(answer: AuditAnswer): unknown {
  try {
    return exactJson(answer.bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** JSON whose whole numbers keep their digits where a double would lose them (I4.32). */
export function exactJson(text: string): unknown {
  const reviver: Reviver = (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && losesDigits(value, source)
      ? ExactDecimal.parse(source)
      : value;
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown);
}

function losesDigits(value: number, source: string): boolean {
  // canon-1 prints exact digits, a double its shortest form: 0.0000001 would come back as 1e-7
  return String(value) !== source;
}

/** The stored payload inside an answer: the bytes before the billing suffix, its last brace restored (I4.24). */
export function payloadBytes(answer: AuditAnswer): Buffer | null {
  const length = Number(answer.headers.get('x-payload-length') ?? Number.NaN);
  if (!Number.isInteger(length) || length < 1 || length > answer.bytes.length) return null;
  return Buffer.concat([answer.bytes.subarray(0, length), Buffer.from('}')]);
}

/** What speaks against the payload of a route, or why there is none. */
export async function checked<S extends z.ZodType>(
  client: AuditClient,
  routeId: string,
  target: string,
  schema: S,
  problems: (payload: z.infer<S>) => Iterable<string>,
): Promise<Verdict> {
  const asked = await client.ask(routeId, target, schema);
  return 'payload' in asked ? verdictOf(problems(asked.payload.value)) : asked.verdict;
}

/** Reads every page of a list; a total that moves or is not reached is a failure (M15.60). */
export async function pages<S extends z.ZodType, Row>(
  client: AuditClient,
  {
    routeId,
    path,
    limit,
    schema,
    rowsOf,
    totalOf,
  }: {
    routeId: string;
    path: string;
    limit: number;
    schema: S;
    rowsOf: (page: z.infer<S>) => readonly Row[];
    totalOf: (page: z.infer<S>) => number;
  },
): Promise<{ readonly rows: readonly Row[] } | { readonly verdict: Verdict }> {
  const rows: Row[] = [];
  for (;;) {
    const target = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}&offset=${rows.length}`;
    const asked = await client.ask(routeId, target, schema);
    if (!('payload' in asked)) return { verdict: asked.verdict };
    const page = rowsOf(asked.payload.value);
    rows.push(...page);
    const total = totalOf(asked.payload.value);
    if (rows.length >= total) {
      return rows.length === total
        ? { rows }
        : { verdict: failed(`${rows.length} rows of ${total} (M15.60)`) };
    }
    if (page.length === 0)
      return { verdict: failed(`the pages end after ${rows.length} of ${total} rows (M15.60)`) };
  }
}
