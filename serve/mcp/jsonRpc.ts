import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { PaymentWay } from '../../data/contract/routes/paymentRail.ts';
import { resultMeta } from '../../data/contract/tools/toolProtocol.ts';
import type { Coding } from '../body/openBodies.ts';
import type { Incoming, Outgoing, RequestRecord } from '../exchange.ts';
import { boundedJson } from '../http/boundedJson.ts';
import { isToolPath, pathOf } from '../http/parseTarget.ts';
import type { RateState } from '../http/rateLimit.ts';
import { constantHeaders, withCallHeaders } from '../http/standardHeaders.ts';
import { type Problem, problemBody } from '../problem/problemBody.ts';
import type { ToolWords } from './toolWords.ts';

/** Identifier of a JSON-RPC request, as it is repeated in its answer: text, a number, or the digits of one that no double holds. */
export type RpcId = string | number | RawJson;
type RawJson = { readonly rawJSON: string };

// the library of types does not have these yet
const exact = JSON as unknown as {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
  parse(
    text: string,
    reviver: (this: object, name: string, value: unknown, at: { readonly source: string }) => unknown,
  ): unknown;
};

/** What one JSON-RPC message asks. */
export type Frame =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: unknown }
  /** A notification, or an answer of the client to nothing we asked: taken and not answered. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'invalid' };

/** What a body holds: messages, or the fault of the whole body. */
export type Frames =
  | { readonly kind: 'single'; readonly frame: Frame }
  | { readonly kind: 'batch'; readonly frames: readonly Frame[] }
  | { readonly kind: 'fault'; readonly rpcCode: -32700 | -32600; readonly reason: string };

/** Deep and wide enough for every argument of a tool beside a payment. */
const bounds = { depth: 16, members: 128, elements: 1024 };
const longestId = 256;
const smallestBatch = 2;
const largestBatch = 20;

/** Reads the body of a tool request (I4.MCP.5). A member that is repeated means two things and is refused. */
export function readFrames(body: Uint8Array): Frames {
  const read = boundedJson(body, bounds);
  if ('fault' in read) {
    return read.fault === 'too_complex'
      ? { kind: 'fault', rpcCode: -32600, reason: 'The request is too deep or too wide.' }
      : { kind: 'fault', rpcCode: -32700, reason: 'The body is not JSON, or repeats a member.' };
  }
  const value = withExactIds(read.value, body);
  if (!Array.isArray(value)) {
    const frame = frameOf(value);
    return frame.kind === 'invalid' ? notARequest : { kind: 'single', frame };
  }
  if (value.length < smallestBatch || value.length > largestBatch) {
    const reason = `A batch has ${smallestBatch} to ${largestBatch} messages.`;
    return { kind: 'fault', rpcCode: -32600, reason };
  }
  const frames = value.map(frameOf);
  if (repeatsAnId(frames))
    return { kind: 'fault', rpcCode: -32600, reason: 'Two requests of the batch have one id.' };
  return { kind: 'batch', frames };
}

const notARequest: Frames = {
  kind: 'fault',
  rpcCode: -32600,
  reason: 'The body is not a JSON-RPC request with jsonrpc 2.0, an id and a method.',
};

// a client that counts in 64 bits finds its answer by all digits of the id
function withExactIds(value: unknown, body: Uint8Array): unknown {
  const isInexact = (id: unknown) => typeof id === 'number' && !Number.isSafeInteger(id);
  if (![value].flat().some((one) => isInexact((one as { id?: unknown } | null)?.id))) return value;
  return exact.parse(Buffer.from(body).toString(), function (name, member, { source }) {
    const isId = name === 'id' && Object.hasOwn(this, 'jsonrpc') && isInexact(member);
    return isId && source.length <= longestId ? exact.rawJSON(source) : member;
  });
}

function frameOf(value: unknown): Frame {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'invalid' };
  const { jsonrpc, id, method, params } = value as Readonly<Record<string, unknown>>;
  if (jsonrpc !== '2.0') return { kind: 'invalid' };
  const isAnswer = method === undefined && ('result' in value || 'error' in value);
  if (isAnswer) return { kind: 'silent' };
  if (typeof method !== 'string' || method.length > 128) return { kind: 'invalid' };
  if (!Object.hasOwn(value, 'id')) return { kind: 'silent' };
  return isId(id) ? { kind: 'request', id, method, params } : { kind: 'invalid' };
}

function isId(id: unknown): id is RpcId {
  if (typeof id === 'string') return id.length <= longestId && id.isWellFormed();
  return Number.isSafeInteger(id) || exact.isRawJSON(id);
}

function repeatsAnId(frames: readonly Frame[]): boolean {
  const ids = frames.flatMap((frame) => (frame.kind === 'request' ? [JSON.stringify(frame.id)] : []));
  return new Set(ids).size < ids.length;
}

/** Code of every error that carries a problem (I4.MCP.19). */
export const problemRpcCode = -32000;

/** The JSON of an answer with a result. */
export function rpcResult(id: RpcId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

/** The JSON of an answer with an error; the id is null where none could be read. */
export function rpcError(
  id: RpcId | null,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

/** The request behind an answer. */
export type FrameCall = { readonly requestId: string; readonly rate: RateState | null };

/** What a frame is sent with beside its bytes. */
export type FrameExtras = {
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly coding?: Coding;
  readonly record?: Partial<RequestRecord>;
  readonly done?: Outgoing['done'];
};

const routeId = 'R31';

const framed = [...constantHeaders, 'Cache-Control', 'no-store', 'Vary', 'Accept-Encoding'];

/** A JSON-RPC answer over HTTP: never stored, never a stream (I4.MCP.1, I4.20). */
export function frameAnswer(
  call: FrameCall,
  body: string | readonly Uint8Array[],
  { status = 200, headers = [], coding = 'identity', record = {}, done = () => {} }: FrameExtras = {},
): Outgoing {
  const chunks = typeof body === 'string' ? [Buffer.from(body)] : body;
  const all = withCallHeaders(framed, call);
  if (chunks.length > 0) all.push('Content-Type', 'application/json');
  if (coding !== 'identity') all.push('Content-Encoding', coding);
  for (const text of headers) all.push(text);
  return {
    status,
    headers: all,
    body: chunks,
    record: {
      requestId: call.requestId,
      route: routeId,
      code: null,
      receiptId: null,
      apiKeyId: null,
      ...record,
    },
    done,
  };
}

/** A call that failed, where the service is found, and how its texts are put for an agent. */
export type FailingCall = FrameCall & {
  readonly id: RpcId;
  readonly baseUrl: string;
  readonly words: ToolWords;
};

/** Codes that exist inside tool results and frames alone (I7.10). */
export type ToolErrorCode = 'planned' | 'result_too_large' | 'contract_invalid' | 'does_not_fit';

/**
 * The result of a tool that has no answer: bad arguments, a miss, an artifact that cannot be read. The client reads it as
 * the answer of the tool, so it is never charged and never a fault of the transport (I4.MCP.24, I4.MCP.25).
 */
export function toolFailure(call: FailingCall, error: unknown): Outgoing {
  const problem = problemOf(call, error);
  const json = inToolWords(call, JSON.parse(problem.body.toString('utf8')));
  const isProblem = typeof json['detail'] === 'string';
  const shown = isProblem ? json : { ...json, code: problem.code, detail: json['message'] ?? problem.code };
  const text = [`${problem.code}: ${String(shown['detail'])}`, ...leadsOf(json)].join(' ');
  const content = isProblem ? { error: json } : { error: shown, data: json };
  return frameAnswer(call, errorResult(call, text, content), { record: { code: problem.code } });
}

// what a text names is something the agent can call (I4.MCP.33)
function inToolWords({ words }: FailingCall, problem: Readonly<Record<string, unknown>>) {
  const told = ['detail', 'message'].flatMap((member) => {
    const text = problem[member];
    return typeof text === 'string' ? [[member, words(text)]] : [];
  });
  return { ...problem, ...Object.fromEntries(told) } as Readonly<Record<string, unknown>>;
}

/** What a miss leads to, in words: a model reads the text, which speaks of members that only the structure has. */
function leadsOf(problem: Readonly<Record<string, unknown>>): string[] {
  const { nearest_source_dates: dates, suggestions } = problem as MissMembers;
  const nearest = [dates?.before, dates?.after].filter((date) => typeof date === 'string');
  const labels = (suggestions ?? []).slice(0, 3);
  return [
    ...(nearest.length === 0 ? [] : [`Nearest: ${nearest.join(' and ')}.`]),
    ...(labels.length === 0 ? [] : [`Did you mean ${labels.join(', ')}?`]),
  ];
}

/** Of a problem `not_found` (I7.6); other problems have neither. */
type MissMembers = {
  readonly nearest_source_dates?: { readonly before: string | null; readonly after: string | null } | null;
  readonly suggestions?: readonly string[];
};

/** The result of a tool that says itself why it has none (I7.10). */
export function toolRefusal(
  call: FailingCall,
  error: Readonly<Record<string, unknown>> & { readonly code: ToolErrorCode; readonly detail: string },
): Outgoing {
  const text = `${error.code}: ${error.detail}`;
  return frameAnswer(call, errorResult(call, text, { error }), { record: { code: error.code } });
}

/**
 * A refusal of access. Who is not known, or lacks a scope, learns it as the result of the call: a status would send a host
 * in search of a login that there is none of. What is wrong with a payment is stated where it was shown, and too many calls
 * by the status in both ways (P10.8, P10.15).
 */
export function accessFailure(call: FailingCall, error: unknown, way: PaymentWay): Outgoing {
  const problem = problemOf(call, error);
  const isTold = way === 'in_band' || problem.status === 401 || problem.status === 403;
  if (isTold && problem.status !== 429) return toolFailure(call, error);
  const data: unknown = JSON.parse(problem.body.toString('utf8'));
  const text = rpcError(call.id, { code: problemRpcCode, message: problem.code, data });
  const { status, headers, code } = problem;
  return frameAnswer(call, text, { status, headers, record: { code } });
}

/** The JSON of a result that is an error. */
export function errorResult(
  { id }: FailingCall,
  texts: string | readonly string[],
  structuredContent: unknown,
  meta: Readonly<Record<string, unknown>> = {},
): string {
  const content = [texts].flat().map((text) => ({ type: 'text', text }));
  const said = { resultType: 'complete', _meta: { ...resultMeta, ...meta } };
  return rpcResult(id, { content, structuredContent, isError: true, ...said });
}

function problemOf(call: FailingCall, error: unknown): ReturnType<typeof problemBody> {
  if (!(error instanceof IssuerError)) throw error;
  const problem = problemBody(error, { baseUrl: call.baseUrl, instance: '/mcp', requestId: call.requestId });
  // a defect is reported and answered as everywhere else
  if (problem.status === 500) throw error;
  return problem;
}

/** A refusal for asking too often, as callers of tools read it; every other problem as it is (I4.MCP.24). */
export function framedRefusal(
  { method, target }: Pick<Incoming, 'method' | 'target'>,
  problem: Problem,
): Problem {
  if (problem.status !== 429 || method !== 'POST' || !isToolPath(pathOf(target))) return problem;
  const data: unknown = JSON.parse(problem.body.toString('utf8'));
  const text = rpcError(null, { code: problemRpcCode, message: problem.code, data });
  return { ...problem, contentType: 'application/json', body: Buffer.from(text) };
}
