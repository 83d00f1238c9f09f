import {
  protocolErrors,
  requestMember,
  statelessRevision,
  supportedRevisions,
} from '../../data/contract/tools/toolProtocol.ts';
import type { HeaderLists } from '../exchange.ts';

/** Whether a client opened with a handshake, or says with each request who it is (I4.MCP.30). */
export type Era = 'handshake' | 'stateless';

/** Why a request cannot be taken as its revision wants it. */
export type ProtocolFault = {
  readonly code: number;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly code: string };
};

type Asked = { readonly method: string; readonly params: unknown };

/**
 * Reads how a request speaks, from its `_meta` and headers alone. The header of the newest revision without anything else
 * of it comes from a client whose handshake was answered with a lower one: it is served as it began.
 */
export function eraOf(asked: Asked, headers: HeaderLists): Era | ProtocolFault {
  const meta = memberOf(asked.params, '_meta');
  const named = memberOf(meta, requestMember.revision);
  const lines = headers['mcp-protocol-version'] ?? [];
  if (asked.method === 'initialize' && named === undefined) return 'handshake';
  if (typeof named === 'string' && lines.some((line) => line !== named))
    return mismatch(`MCP-Protocol-Version ${lines.join(', ')} is not ${named} of _meta.`);
  const fault = unsupportedRevision(typeof named === 'string' ? [named] : lines);
  if (fault !== null) return fault;
  if (!isStateless({ asked, meta, named, headers })) return 'handshake';
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
  readonly asked: Asked;
  readonly meta: unknown;
  /** The revision in `_meta`. */
  readonly named: unknown;
  readonly headers: HeaderLists;
};

function isStateless({ asked, meta, named, headers }: Read): boolean {
  if (named !== undefined) return typeof named !== 'string' || named === statelessRevision;
  if (asked.method === 'server/discover') return true;
  const isNamedOutside = headers['mcp-protocol-version']?.includes(statelessRevision) === true;
  const says =
    headers['mcp-method'] !== undefined || memberOf(meta, requestMember.capabilities) !== undefined;
  return isNamedOutside && says;
}

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
