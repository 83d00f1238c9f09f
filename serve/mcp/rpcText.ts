import type { RpcId } from './readFrames.ts';

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
