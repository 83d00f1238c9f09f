import type { Coding } from '../body/openBodies.ts';
import type { EndpointCall } from './endpointCall.ts';

/** When a call is answered, how long that took, and the coding its client takes. */
export type CallMoment = (
  call: Pick<EndpointCall, 'request' | 'startedMs'>,
  nowMs: number,
) => { readonly nowMs: number; readonly latencyMs: number; readonly coding: Coding };

/** Makes the reader of moments. */
export function callMoment({
  codingOf,
}: {
  /** Coding of a body by the client's `Accept-Encoding`. */
  readonly codingOf: (field: string | undefined) => Coding;
}): CallMoment {
  return ({ request, startedMs }, nowMs) => ({
    nowMs,
    latencyMs: Math.max(0, Math.round(nowMs - startedMs)),
    coding: codingOf(request.headers['accept-encoding']?.join(', ')),
  });
}
