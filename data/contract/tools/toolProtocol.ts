/** The revision a declaration names, and the published ones beside it, newest first (I4.MCP.7). */
export const declaredRevision = '2025-12-11';
export const publishedRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The one revision that has batches of JSON-RPC messages (I4.MCP.5). */
export const batchRevision: (typeof publishedRevisions)[number] = '2025-03-26';

/** Every revision that is answered. */
export const supportedRevisions: readonly string[] = [declaredRevision, ...publishedRevisions];

/** Methods that are free and ask for no credential (I4.MCP.10). */
export const freeMethods = ['initialize', 'ping', 'notifications/*', 'tools/list'] as const;

/** Configuration a client may be asked for (I4.MCP.26). */
export const configurationSchema = {
  type: 'object',
  properties: {
    paymentMode: {
      type: 'string',
      enum: ['x402', 'internal'],
      default: 'x402',
      description: 'x402: pay per tools/call; internal: API key, not charged.',
    },
  },
  additionalProperties: false,
} as const;

/** Most bytes of the answer to a batch (I4.MCP.5). */
export const maxBatchBytes = 1_048_576;

/** Largest structured result (I4.MCP.17). */
export const maxResultBytes = 262_144;
