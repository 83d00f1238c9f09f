import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { toolInstructions } from '../../data/contract/tools/toolPayment.ts';
import {
  batchRevision,
  declaredRevision,
  handshakeRevisions,
  maxBatchBytes,
  protocolErrors,
  publishedRevisions,
  requestMember,
  resultMeta,
  statelessRevision,
  supportedRevisions,
} from '../../data/contract/tools/toolProtocol.ts';
import { versions } from '../../data/contract/values/versions.ts';
import { splice } from '../body/splice.ts';
import type { HeaderLists, Incoming, Outgoing } from '../exchange.ts';
import { admits } from '../http/contentNegotiation.ts';
import { RateLimited, type RateLimiter } from '../http/rateLimit.ts';
import { bodyLength } from '../http/transportLimits.ts';
import { type ToolCaller, type ToolDeps, toolCaller } from './callTool.ts';
import type { EndpointCall } from './endpointCall.ts';
import {
  type Frame,
  type FrameCall,
  frameAnswer,
  problemRpcCode,
  type RpcId,
  readFrames,
  rpcError,
  rpcResult,
} from './jsonRpc.ts';
import { listEnd } from './toolCatalogue.ts';

/** A request of `POST /mcp` whose query and credentials were read. */
export type EndpointRequest = FrameCall & Pick<EndpointCall, 'request' | 'presented' | 'startedMs' | 'plan'>;

/** Answers the tool endpoint. */
export type ToolEndpoint = (call: EndpointRequest) => Outgoing | Promise<Outgoing>;

type Asked = Extract<Frame, { kind: 'request' }>;
type AskedMethod = Pick<Asked, 'method' | 'params'>;

/**
 * Makes the tool endpoint: JSON-RPC 2.0 over one POST, without sessions and streams (I4.MCP.1). Only `tools/call` looks at
 * credentials; everything else is free and says the same to everyone (P10.13).
 */
export function toolEndpoint(
  deps: ToolDeps & {
    readonly limiter: RateLimiter;
    readonly checkHost: (headers: Incoming['headers']) => void;
  },
): ToolEndpoint {
  const call: ToolCaller = toolCaller(deps);
  const instructions = toolInstructions(deps.deployment);

  function listed(request: EndpointRequest, id: RpcId): Outgoing {
    const nowMs = deps.nowMs();
    const { list, ttlMsAt } = deps.catalogueAt(nowMs);
    const coding = deps.codingOf(request.request.headers['accept-encoding']?.join(', '));
    const { chunks } = splice({ bodies: list, coding, suffix: [listEnd(ttlMsAt(nowMs), id)] });
    return frameAnswer(request, chunks, { coding });
  }

  /** The answer to what is free, the list of tools apart, which is prepared. */
  function freeText({ id, method, params }: Asked): string {
    const nowMs = deps.nowMs();
    switch (method) {
      case 'server/discover':
        return rpcResult(id, {
          resultType: 'complete',
          supportedVersions: supportedRevisions,
          capabilities,
          instructions,
          ttlMs: deps.catalogueAt(nowMs).ttlMsAt(nowMs),
          cacheScope: 'public',
          _meta: resultMeta,
        });
      case 'initialize':
        return rpcResult(id, initialized(params, instructions));
      case 'ping':
        return rpcResult(id, {});
      default:
        return invalidParams(id, 'The list has one page: send no cursor.');
    }
  }

  /** One message of a batch; the prepared list goes out from where it lies. */
  function memberOf(frame: Exclude<Frame, { kind: 'silent' }>): readonly Uint8Array[] {
    if (frame.kind === 'invalid') return [Buffer.from(invalidMember)];
    if (!methods.handshake.has(frame.method)) return [Buffer.from(rpcError(frame.id, methodNotFound))];
    if (!isList(frame)) return [Buffer.from(freeText(frame))];
    const nowMs = deps.nowMs();
    const { list, ttlMsAt } = deps.catalogueAt(nowMs);
    return [list.body('identity').bytes, Buffer.from(listEnd(ttlMsAt(nowMs), frame.id))];
  }

  /** A batch costs what its messages would cost one by one, and its answer has an end (I4.MCP.5). */
  function answerBatch(request: EndpointRequest, frames: readonly Frame[]): Outgoing {
    const revisions = request.request.headers['mcp-protocol-version'];
    const without = revisions?.find((value) => value !== batchRevision);
    if (without !== undefined) {
      const detail = `Revision ${without} has no batches: send each message in a request of its own.`;
      return refused(request, -32600, 'batch_not_supported', { detail, supported: [batchRevision] });
    }
    if (frames.some((frame) => frame.kind === 'request' && frame.method === 'tools/call'))
      return refused(request, -32600, 'tools_call_not_batchable');
    const { ratePolicy, rateHolder } = request.presented;
    const rate = deps.limiter.take(ratePolicy, rateHolder, frames.length - 1);
    if (rate?.allowed === false) throw new RateLimited(rate);
    const members: (readonly Uint8Array[])[] = [];
    let bytes = 0;
    for (const frame of frames) {
      if (frame.kind === 'silent') continue;
      const made = memberOf(frame);
      const fits = bytes + bodyLength(made) <= maxBatchBytes;
      if (fits) bytes += bodyLength(made);
      members.push(fits ? made : [Buffer.from(tooMuch(frame))]);
    }
    if (members.length === 0) return taken({ ...request, rate });
    const chunks = members.flatMap((member, i) => [i === 0 ? opening : comma, ...member]);
    return frameAnswer({ ...request, rate }, [...chunks, closing]);
  }

  return (request) => {
    const { headers, body } = request.request;
    deps.checkHost(headers);
    requireJsonAccepted(headers['accept']);
    const read = readFrames(body);
    if (read.kind === 'fault')
      return frameAnswer(
        request,
        rpcError(null, {
          code: read.rpcCode,
          message: read.rpcCode === -32700 ? 'parse_error' : 'invalid_request',
          data: { detail: read.reason },
        }),
        { status: 400 },
      );
    if (read.kind === 'single' && read.frame.kind === 'request') {
      const { id, method, params } = read.frame;
      const era = eraOf(read.frame, headers);
      if (typeof era !== 'string') return faulty(request, id, era);
      if (!methods[era].has(method)) return notFound(request, id, era);
      if (method === 'tools/call') return call({ ...request, id }, params);
      return isList(read.frame) ? listed(request, id) : frameAnswer(request, freeText(read.frame));
    }
    const fault = unsupportedRevision(headers['mcp-protocol-version'] ?? []);
    if (fault !== null) return faulty(request, null, fault);
    return read.kind === 'batch' ? answerBatch(request, read.frames) : taken(request);
  };
}

const capabilities = { tools: { listChanged: false } };

/** The methods of each era: what opens a session exists in the older one alone (I4.MCP.30). */
const methods: Readonly<Record<Era, ReadonlySet<string>>> = {
  handshake: new Set(['initialize', 'ping', 'tools/list', 'tools/call']),
  stateless: new Set(['server/discover', 'tools/list', 'tools/call']),
};

const methodNotFound = { code: -32601, message: 'method_not_found', data: { code: 'method_not_found' } };

function notFound(request: EndpointRequest, id: RpcId, era: Era): Outgoing {
  return frameAnswer(request, rpcError(id, methodNotFound), { status: era === 'stateless' ? 404 : 200 });
}

function faulty(
  request: EndpointRequest,
  id: RpcId | null,
  { code, message, data }: ProtocolFault,
): Outgoing {
  const text = rpcError(id, { code, message, data });
  return frameAnswer(request, text, { status: 400, record: { code: data.code } });
}

const opening = Buffer.from('[');
const comma = Buffer.from(',');
const closing = Buffer.from(']');

function tooMuch(frame: Frame): string {
  const detail = `The answer to the batch would be larger than ${maxBatchBytes} bytes: send this message alone.`;
  const data = { code: 'batch_too_large', detail };
  const error = { code: problemRpcCode, message: `batch_too_large: ${detail}`, data };
  return rpcError(frame.kind === 'request' ? frame.id : null, error);
}

const invalidMember = rpcError(null, { code: -32600, message: 'invalid_request' });

/** A notification, or an answer to nothing we asked (I4.MCP.5). */
function taken(request: EndpointRequest): Outgoing {
  return frameAnswer(request, [], { status: 202 });
}

function refused(
  request: EndpointRequest,
  code: number,
  reason: string,
  more: Readonly<Record<string, unknown>> = {},
): Outgoing {
  const { detail } = more;
  const message = detail === undefined ? reason : `${reason}: ${detail}`;
  const text = rpcError(null, { code, message, data: { code: reason, ...more } });
  return frameAnswer(request, text, { status: 400, record: { code: reason } });
}

function invalidParams(id: RpcId, detail: string): string {
  return rpcError(id, { code: -32602, message: `invalid_params: ${detail}`, data: { detail } });
}

function isList({ method, params }: Asked): boolean {
  const hasCursor = typeof params === 'object' && params !== null && Object.hasOwn(params, 'cursor');
  return method === 'tools/list' && !hasCursor;
}

function initialized(params: unknown, instructions: string): object {
  const asked = (params as { readonly protocolVersion?: unknown } | null | undefined)?.protocolVersion;
  return {
    protocolVersion: negotiatedRevision(asked),
    capabilities,
    serverInfo: { name: versions.service, title: versions.title, version: versions.api },
    instructions,
  };
}

/** @throws IssuerError `not_acceptable` (I4.MCP.2) */
function requireJsonAccepted(accept: readonly string[] | undefined): void {
  if (admits(accept?.join(','), 'application/json')) return;
  throw new IssuerError({
    code: 'not_acceptable',
    message: 'The answer is JSON, which Accept does not admit.',
    hint: 'Send Accept: application/json.',
  });
}

/** The revision `initialize` is answered with (I4.MCP.7). */
function negotiatedRevision(asked: unknown): string {
  if (asked === undefined) return declaredRevision;
  if (typeof asked === 'string' && handshakeRevisions.includes(asked)) return asked;
  return publishedRevisions[0];
}

/** Whether a client opened with a handshake, or says with each request who it is (I4.MCP.30). */
export type Era = 'handshake' | 'stateless';

/** Why a request cannot be taken as its revision wants it. */
export type ProtocolFault = {
  readonly code: number;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly code: string };
};

/**
 * Reads how a request speaks, from its `_meta` and headers alone. The header of the newest revision without anything else
 * of it comes from a client whose handshake was answered with a lower one: it is served as it began.
 */
export function eraOf(asked: AskedMethod, headers: HeaderLists): Era | ProtocolFault {
  const meta = memberOf(asked.params, '_meta');
  const named = memberOf(meta, requestMember.revision);
  const lines = headers['mcp-protocol-version'] ?? [];
  if (asked.method === 'initialize' && named === undefined) return 'handshake';
  if (typeof named === 'string' && lines.some((line) => line !== named))
    return mismatch(`MCP-Protocol-Version ${lines.join(', ')} is not ${named} of _meta.`);
  const fault = unsupportedRevision(typeof named === 'string' ? [named] : lines);
  if (fault !== null) return fault;
  const isNamedOutside = lines.includes(statelessRevision);
  const isStateless =
    named !== undefined
      ? typeof named !== 'string' || named === statelessRevision
      : asked.method === 'server/discover' ||
        (isNamedOutside &&
          (headers['mcp-method'] !== undefined || memberOf(meta, requestMember.capabilities) !== undefined));
  if (!isStateless) return 'handshake';
  return requestFault({ asked, meta, named, headers }) ?? 'stateless';
}

/** The refusal of a revision that is not spoken; null where each is. */
export function unsupportedRevision(asked: readonly string[]): ProtocolFault | null {
  const requested = asked.find((revision) => !supportedRevisions.includes(revision));
  if (requested === undefined) return null;
  return {
    code: protocolErrors.unsupportedRevision,
    message: 'Unsupported protocol version',
    data: {
      code: 'unsupported_protocol_version',
      supported: supportedRevisions,
      requested: requested.slice(0, 100).toWellFormed(),
    },
  };
}

type Read = {
  readonly asked: AskedMethod;
  readonly meta: unknown;
  /** The revision in `_meta`. */
  readonly named: unknown;
  readonly headers: HeaderLists;
};

function requestFault({ asked, meta, named, headers }: Read): ProtocolFault | null {
  if (typeof named !== 'string') return lacking(requestMember.revision);
  const capabilities = memberOf(meta, requestMember.capabilities);
  if (typeof capabilities !== 'object' || capabilities === null) return lacking(requestMember.capabilities);
  if (headers['mcp-protocol-version'] === undefined) return mismatch('MCP-Protocol-Version is missing.');
  const name = asked.method === 'tools/call' ? memberOf(asked.params, 'name') : undefined;
  return (
    headerFault(headers, 'Mcp-Method', asked.method) ??
    (typeof name === 'string' ? headerFault(headers, 'Mcp-Name', name) : null)
  );
}

function headerFault(headers: HeaderLists, header: string, value: string): ProtocolFault | null {
  const lines = headers[header.toLowerCase()];
  if (lines === undefined) return mismatch(`${header} is missing.`);
  if (lines.every((line) => decoded(line) === value)) return null;
  return mismatch(`${header} is not that of the body.`);
}

/** A header value; what ASCII cannot hold comes as `=?base64?…?=`. */
function decoded(line: string): string {
  const coded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(line)?.[1];
  return coded === undefined ? line : Buffer.from(coded, 'base64').toString('utf8');
}

function mismatch(detail: string): ProtocolFault {
  const { headerMismatch: code } = protocolErrors;
  return { code, message: `Header mismatch: ${detail}`, data: { code: 'header_mismatch', detail } };
}

function lacking(member: string): ProtocolFault {
  const detail = `params._meta has no valid ${member}.`;
  return { code: -32602, message: `invalid_params: ${detail}`, data: { code: 'invalid_params', detail } };
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
