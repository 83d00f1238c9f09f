import { boundedJson } from '../http/boundedJson.ts';

/** Identifier of a JSON-RPC request, as it is repeated in its answer. */
export type RpcId = string | number;

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
  const { value } = read;
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
  if (typeof id === 'string') return id.length <= 256 && id.isWellFormed();
  return typeof id === 'number' && Number.isFinite(id);
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
