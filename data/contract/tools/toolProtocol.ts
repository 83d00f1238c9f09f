import { z } from 'zod';
import { parameterSchema } from '../emit/jsonSchema.ts';
import { paymentMode } from '../routes/param.ts';
import { versions } from '../values/versions.ts';

/** The revision a declaration names, and the published ones with a handshake, newest first (I4.MCP.7). */
export const declaredRevision = '2025-12-11';
export const publishedRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The revision without a handshake: each request names it, and its client, in `_meta` (I4.MCP.30). */
export const statelessRevision = '2026-07-28';

/** Revisions that `initialize` is answered with. */
export const handshakeRevisions: readonly string[] = [declaredRevision, ...publishedRevisions];

/** The one revision that has batches of JSON-RPC messages (I4.MCP.5). */
export const batchRevision: (typeof publishedRevisions)[number] = '2025-03-26';

/** Every revision that is answered. */
export const supportedRevisions: readonly string[] = [
  declaredRevision,
  statelessRevision,
  ...publishedRevisions,
];

/** Members of `params._meta` that say of a request what a handshake said of a session (I4.MCP.30). */
export const requestMember = {
  revision: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
} as const;

/** What every result says of itself in `_meta`. */
export const resultMeta = {
  'io.modelcontextprotocol/serverInfo': {
    name: versions.service,
    title: versions.title,
    version: versions.api,
  },
} as const;

/** Errors that the protocol defines (I4.MCP.30). */
export const protocolErrors = { headerMismatch: -32020, unsupportedRevision: -32022 } as const;

/** When the night begins that may change what is offered, in minutes after midnight UTC. */
const nightMinutesUtc = 9 * 60 + 30;

/** How long the list of tools stays as it is: until the next night, or an announced change before it (I4.MCP.31). */
export function listLifetimeMs(nowMs: number, announced: readonly number[] = []): number {
  const dayMs = 86_400_000;
  const today = Math.floor(nowMs / dayMs) * dayMs + nightMinutesUtc * 60_000;
  const night = today > nowMs ? today : today + dayMs;
  return Math.min(night, ...announced.filter((instant) => instant > nowMs)) - nowMs;
}

/** Methods that are free and ask for no credential (I4.MCP.10). */
export const freeMethods = [
  'server/discover',
  'initialize',
  'ping',
  'notifications/*',
  'tools/list',
] as const;

/** Configuration a client may be asked for (I4.MCP.26). */
export const configurationSchema = {
  type: 'object',
  properties: {
    paymentMode: { ...parameterSchema(paymentMode), description: paymentMode.description },
  },
  additionalProperties: false,
} as const;

/** Most bytes of the answer to a batch (I4.MCP.5). */
export const maxBatchBytes = 1_048_576;

/** Largest structured result (I4.MCP.17). */
export const maxResultBytes = 262_144;

const id = z.union([z.string(), z.number()]);

/** A request of the tool endpoint as JSON-RPC 2.0 frames it (I4.MCP.1, I4.MCP.5). */
export const toolRequest = z.looseObject({
  jsonrpc: z.literal('2.0'),
  /** Absent in a notification. */
  id: id.optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});

/** Its answer: a result, or an error with a problem in `data`. */
export const toolAnswer = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: id.nullable(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number().int(), message: z.string() }).optional(),
});
