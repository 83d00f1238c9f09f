import { constantHeaders } from '../http/standardHeaders.ts';
import { digestField } from './openBodies.ts';
import type { ServableHeaders } from './servable.ts';

const paidVary =
  'Accept-Encoding, Authorization, PAYMENT-SIGNATURE, X-API-Key, MCP-API-Key, X-Svc-Grant-Token';

/** Prints the headers of one servable that no call changes (I4.20, I4.24). */
export function servableHeaders(o: {
  artifactVersion: string;
  artifactSha256: string;
  sourceDate: string;
  etag: string;
  priceMicroUsd: number;
}): ServableHeaders {
  const artifact = [
    ...constantHeaders,
    'X-Artifact-Version',
    o.artifactVersion,
    'X-Source-Date',
    o.sourceDate,
    'Vary',
    paidVary,
  ];
  const disclosed = ['X-Artifact-ETag', o.etag, 'X-Quoted-Cost-USD', usd(o.priceMicroUsd)];
  return {
    admitted: [
      ...artifact,
      'X-Artifact-Digest',
      digestField(o.artifactSha256),
      'Cache-Control',
      'private, no-cache',
      'ETag',
      o.etag,
      'Accept-Ranges',
      'none',
    ],
    head: [...disclosed, 'Content-Type', 'application/json; charset=utf-8'],
    challenge: [
      ...artifact,
      ...disclosed,
      'Cache-Control',
      'no-store',
      'Content-Type',
      'application/problem+json',
    ],
  };
}

/** An amount as headers print it: decimal USD with six places (I4.24). */
export function usd(micro: number): string {
  return (micro / 1e6).toFixed(6);
}
