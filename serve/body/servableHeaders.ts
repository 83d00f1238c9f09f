import { constantHeaders } from '../http/standardHeaders.ts';
import { type Coding, digestField } from './openBodies.ts';
import type { ServableBody } from './servableBody.ts';

/** Constant headers of the answers of one servable, the standard ones included. */
export type ServableHeaders = {
  /** 200 and 304 of a call with access, in each coding. */
  readonly admitted: { readonly [C in Coding]: readonly string[] };
  /** What HEAD with access adds to them. */
  readonly head: readonly string[];
  readonly challenge: readonly string[];
};

const paidVary =
  'Accept-Encoding, Authorization, PAYMENT-SIGNATURE, X-API-Key, MCP-API-Key, X-Svc-Grant-Token';

/** What the constant headers name. */
export type HeaderFacts = {
  readonly artifactVersion: string;
  readonly artifactSha256: string;
  readonly sourceDate: string;
  readonly priceMicroUsd: number;
  readonly body: Pick<ServableBody, 'etag' | 'tagIn' | 'mediaType'>;
};

/** Prints the headers of one servable that no call changes (I4.20, I4.24). */
export function servableHeaders(facts: HeaderFacts): ServableHeaders {
  const { artifactVersion, artifactSha256, sourceDate, priceMicroUsd, body } = facts;
  const artifact = [
    ...constantHeaders,
    'X-Artifact-Version',
    artifactVersion,
    'X-Source-Date',
    sourceDate,
    'Vary',
    paidVary,
  ];
  const disclosed = ['X-Artifact-ETag', body.etag, 'X-Quoted-Cost-USD', usd(priceMicroUsd)];
  const stored = [...artifact, 'X-Artifact-Digest', digestField(artifactSha256)];
  const admitted = (coding: Coding): readonly string[] => [
    ...stored,
    'Cache-Control',
    'private, no-cache',
    'ETag',
    body.tagIn(coding),
    'Accept-Ranges',
    'none',
  ];
  return {
    admitted: { identity: admitted('identity'), gzip: admitted('gzip'), zstd: admitted('zstd') },
    head: [...disclosed, 'Content-Type', body.mediaType],
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

/** What a receipt charged, as its header prints it (I4.24). */
export function costOf({ chargedMicro }: { readonly chargedMicro: number }): string {
  return chargedMicro === 0 ? '0.000000' : usd(chargedMicro);
}
