import type { Deployment } from '../../contract/emit/deployment.ts';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { toolPaymentWays } from '../../contract/tools/toolPayment.ts';
import {
  configurationSchema,
  declaredRevision,
  supportedRevisions,
} from '../../contract/tools/toolProtocol.ts';
import { versions } from '../../contract/values/versions.ts';
import type { Presented } from '../access/accessDecision.ts';
import { splice } from '../body/splice.ts';
import type { Incoming, Outgoing } from '../exchange.ts';
import type { RoutePlan } from '../routing/routePlan.ts';
import { type ToolCaller, type ToolDeps, toolCaller } from './callTool.ts';
import type { EndpointCall } from './endpointCall.ts';
import { type FrameCall, frameAnswer } from './frameAnswer.ts';
import { acceptsRevision, negotiatedRevision } from './protocolVersion.ts';
import { type Frame, type RpcId, readFrames } from './readFrames.ts';
import { rpcError, rpcResult } from './rpcText.ts';

/** A request of `POST /mcp` whose query and credentials were read. */
export type EndpointRequest = FrameCall & {
  readonly request: Incoming;
  readonly presented: Presented;
  readonly startedMs: number;
  readonly plan: RoutePlan;
};

/** Answers the tool endpoint. */
export type ToolEndpoint = (call: EndpointRequest) => Outgoing | Promise<Outgoing>;

type Asked = Extract<Frame, { kind: 'request' }>;

/**
 * Makes the tool endpoint: JSON-RPC 2.0 over one POST, without sessions and streams (I4.MCP.1). Only `tools/call` looks at
 * credentials; everything else is free and says the same to everyone (P10.13).
 */
export function toolEndpoint(
  deps: ToolDeps & { readonly checkHost: (headers: Incoming['headers']) => void },
): ToolEndpoint {
  const call: ToolCaller = toolCaller(deps);
  const instructions = instructionsOf(deps.deployment);

  function listed(request: EndpointRequest, id: RpcId): Outgoing {
    const { list } = deps.catalogueAt(deps.nowMs());
    const coding = deps.codingOf(request.request.headers['accept-encoding']?.join(', '));
    const { chunks } = splice({ bodies: list, coding, suffix: [`,"id":${JSON.stringify(id)}}`] });
    return frameAnswer(request, chunks, { coding });
  }

  function freeText({ id, method, params }: Asked): string {
    switch (method) {
      case 'initialize':
        return rpcResult(id, initialized(params, instructions));
      case 'ping':
        return rpcResult(id, {});
      case 'tools/list':
        return hasCursor(params)
          ? invalidParams(id, 'The list has one page: send no cursor.')
          : rpcResult(id, { tools: deps.catalogueAt(deps.nowMs()).tools });
      default:
        return rpcError(id, {
          code: -32601,
          message: 'method_not_found',
          data: { code: 'method_not_found' },
        });
    }
  }

  function answerOne(request: EndpointRequest, asked: Asked): Outgoing | Promise<Outgoing> {
    const { id, method, params } = asked;
    if (method === 'tools/call') {
      const one: EndpointCall = { ...request, id, baseUrl: deps.deployment.baseUrl };
      return call(one, params);
    }
    if (method === 'tools/list' && !hasCursor(params)) return listed(request, id);
    return frameAnswer(request, freeText(asked));
  }

  function answerBatch(request: EndpointRequest, frames: readonly Frame[]): Outgoing {
    if (frames.some((frame) => frame.kind === 'request' && frame.method === 'tools/call'))
      return refused(request, -32600, 'tools_call_not_batchable');
    const texts = frames.flatMap((frame) => {
      if (frame.kind === 'silent') return [];
      return frame.kind === 'request' ? [freeText(frame)] : [invalidMember];
    });
    return texts.length === 0 ? taken(request) : frameAnswer(request, `[${texts.join(',')}]`);
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
    const isInitialize =
      read.kind === 'single' && read.frame.kind === 'request' && read.frame.method === 'initialize';
    if (!isInitialize && !acceptsRevision(headers['mcp-protocol-version']))
      return refused(request, -32600, 'unsupported_protocol_version', { supported: supportedRevisions });
    if (read.kind === 'batch') return answerBatch(request, read.frames);
    return read.frame.kind === 'request' ? answerOne(request, read.frame) : taken(request);
  };
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
  const text = rpcError(null, { code, message: reason, data: { code: reason, ...more } });
  return frameAnswer(request, text, { status: 400, record: { code: reason } });
}

function invalidParams(id: RpcId, detail: string): string {
  return rpcError(id, { code: -32602, message: `invalid_params: ${detail}`, data: { detail } });
}

function hasCursor(params: unknown): boolean {
  return typeof params === 'object' && params !== null && Object.hasOwn(params, 'cursor');
}

function initialized(params: unknown, instructions: string): object {
  const asked = (params as { readonly protocolVersion?: unknown } | null | undefined)?.protocolVersion;
  return {
    protocolVersion: negotiatedRevision(asked),
    capabilities: { tools: { listChanged: false } },
    serverInfo: { name: versions.service, title: versions.title, version: versions.api },
    instructions,
  };
}

/** What an agent is told once, before its first call. */
function instructionsOf(deployment: Deployment): string {
  const carriers = toolPaymentWays(deployment).map(
    ({ rail, carried_by, payment }) =>
      `${rail === 'mpp' ? 'MPP' : rail} in ${carried_by === 'header' ? 'the header ' : ''}${payment}`,
  );
  const ways =
    carriers.length === 0
      ? 'Other intel tools need x-api-key: this deployment takes no payments.'
      : `Other intel tools cost a flat price a call: an unpaid call names it; pay with ${carriers.join(' or ')}, or send x-api-key.`;
  return [
    'Solvency of public companies that hold crypto, calculated each night from SEC filings. Not investment advice.',
    'Find a company with intel_company_lookup (free), then call a tool with its ticker. intel_help (free) explains everything.',
    `${ways} A call without an answer costs nothing; the same payment again brings the same answer.`,
    'content[0] is a short reading, structuredContent the exact figures; suggested_follow_ups names what to call next.',
    `Declared protocol version ${declaredRevision}. Configuration schema: ${JSON.stringify(configurationSchema)}`,
  ].join('\n');
}

/** @throws IssuerError `not_acceptable` (I4.MCP.2) */
function requireJsonAccepted(accept: readonly string[] | undefined): void {
  if (accept === undefined) return;
  const admitted = accept.join(',').split(',').some(admitsJson);
  if (admitted) return;
  throw new IssuerError({
    code: 'not_acceptable',
    message: 'The answer is JSON, which Accept does not admit.',
    hint: 'Send Accept: application/json.',
  });
}

function admitsJson(range: string): boolean {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((part) => part.startsWith('q='))?.slice(2);
  return ['application/json', 'application/*', '*/*'].includes(type) && Number(weight ?? 1) > 0;
}
