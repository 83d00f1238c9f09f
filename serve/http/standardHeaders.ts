import { createHash } from 'node:crypto';
import { versions } from '../../data/contract/values/versions.ts';
import type { RateState } from './rateLimit.ts';

// cross-origin lists of I9.31, in its order
const allowedHeaders = [
  'Content-Type',
  'Accept',
  'Authorization',
  'X-API-Key',
  'MCP-API-Key',
  'X-Svc-Grant-Token',
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'X-Payment-Provider',
  'Accept-Payment',
  'X-Checkout-Secret',
  'X-Request-ID',
  'Idempotency-Key',
  'If-None-Match',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
  // a header of answers that the x402 clients set on requests
  'Access-Control-Expose-Headers',
  // headers of tracing and of later clients; it does not include Authorization
  '*',
].join(', ');
const exposedHeaders = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'Payment-Receipt',
  'WWW-Authenticate',
  'X-Request-ID',
  'X-Receipt-Id',
  'X-Reconciliation-Key',
  'X-Charge-Status',
  'X-Cost-USD',
  'X-Quoted-Cost-USD',
  'X-Artifact-Version',
  'X-Artifact-Digest',
  'X-Artifact-ETag',
  'X-Payload-Length',
  'X-Source-Date',
  'X-API-Version',
  'X-PAYMENT-RESPONSE',
  'ETag',
  'Content-Digest',
  'Repr-Digest',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotent-Replay',
  'Deprecation',
  'Sunset',
  'Link',
  'Allow',
  'Date',
].join(', ');

/** The part of the standard headers that is the same in every answer (I4.23, I9.31), as a flat list. */
export const constantHeaders: readonly string[] = [
  'X-API-Version',
  versions.api,
  'X-Content-Type-Options',
  'nosniff',
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  exposedHeaders,
];

/** Headers every answer carries (I4.23, I8.4, I9.31), as a fresh flat list. `Date` is the transport's. */
export function standardHeaders(input: { requestId: string; rate: RateState | null }): string[] {
  return withCallHeaders(constantHeaders, input);
}

/** A fresh flat list of constant headers and those of one call: request id and rate limit (I4.23, I8.4). */
export function withCallHeaders(
  constant: readonly string[],
  { requestId, rate }: { readonly requestId: string; readonly rate: RateState | null },
): string[] {
  const headers = constant.slice();
  headers.push('X-Request-ID', requestId);
  if (rate !== null) {
    const { policy, quota, remaining, resetSeconds } = rate;
    headers.push('RateLimit-Policy', `"${policy}";q=${quota};w=60`);
    headers.push('RateLimit', `"${policy}";r=${remaining};t=${resetSeconds}`);
  }
  return headers;
}

/** Headers of a preflight answer beyond the standard ones (I4.6, I9.31). */
export function preflightHeaders(allow: readonly string[]): string[] {
  return [
    'Allow',
    allow.join(', '),
    'Access-Control-Allow-Methods',
    'GET, HEAD, POST, OPTIONS',
    'Access-Control-Allow-Headers',
    allowedHeaders,
    'Access-Control-Max-Age',
    '600',
  ];
}

/** What a page that is opened in a browser may do: it runs nothing and asks for nothing (I4.R28.5). */
export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The policy of a page with one script of its own, named by its hash: it still asks for nothing (I4.F18.1). */
export function scriptPolicy(script: string): string {
  const hash = createHash('sha256').update(script).digest('base64');
  return pagePolicy.replace('; style-src', `; script-src 'sha256-${hash}'; style-src`);
}
