import type { Coding } from '../body/openBodies.ts';
import type { Outgoing, RequestRecord } from '../exchange.ts';
import type { RateState } from '../http/rateLimit.ts';
import { constantHeaders, withCallHeaders } from '../http/standardHeaders.ts';

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
