import type { ServeTimeMembers } from '../../data/contract/payloads/serveTime.ts';
import type { LastRun } from '../../data/contract/release/releaseFiles.ts';
import { constantHeaders, pagePolicy } from '../http/standardHeaders.ts';
import { type EnvelopeCall, type EnvelopeFacts, envelopePrinter } from './envelope.ts';
import {
  type CodedBytes,
  type Coding,
  digestField,
  type OpenBodies,
  sha256Hex,
  strongTag,
  worthCoding,
} from './openBodies.ts';
import { splice } from './splice.ts';

/** What the answer of one admitted call is finished with. */
export type BodyCall = EnvelopeCall & {
  /** How the last night ended; null unless the body asks for it. */
  readonly lastRun: LastRun | null;
};

/** The finished bytes of one answer. */
export type SentBody = {
  readonly chunks: readonly Uint8Array[];
  /** Flat list of the headers that describe the chunks. */
  readonly headers: readonly string[];
};

/** What an enveloped body is made of, for an answer that wraps it in another way. */
export type EnvelopedParts = {
  readonly bodies: OpenBodies;
  readonly facts: Omit<EnvelopeFacts, 'payloadSha256'>;
  readonly serveTime: ServeTimeMembers | null;
};

/** What an admitted call is sent: a JSON object that the envelope completes, or an artifact's bytes as they are. */
export type ServableBody = {
  /** As `Content-Type` names it. */
  readonly mediaType: string;
  /** Bytes before content coding. */
  readonly length: number;
  /** Entity tag as 402 and HEAD disclose it. */
  readonly etag: string;
  /** null for an artifact that is sent as it is. */
  readonly parts: EnvelopedParts | null;
  /** True when an answer shows how the last night ended. */
  readonly showsLastRun: boolean;
  /** Whether it is worth the coding that a client prefers. */
  readonly codable: boolean;
  /** Entity tag of the answer in a coding: weak where each call adds billing members (I9.13). */
  tagIn(coding: Coding): string;
  /** The same body at another price, in micro-USD. */
  at(priceMicroUsd: number): ServableBody;
  finish(call: BodyCall, coding: Coding): SentBody;
};

/** Media type of every enveloped answer. */
const jsonMediaType = 'application/json; charset=utf-8';

/** A JSON object that the serve-time members and the billing envelope of each call complete (I4.28). */
type EnvelopedInput = EnvelopedParts & {
  /** Opaque value of the entity tag. */
  readonly tag: string;
};

/** The body of a JSON payload; its tag is weak, because two answers differ in their billing members (I9.13). */
export function envelopedBody({ bodies, tag, facts, serveTime }: EnvelopedInput): ServableBody {
  const printEnvelope = envelopePrinter({ ...facts, payloadSha256: bodies.payloadSha256 });
  const etag = `W/"${tag}"`;
  return {
    mediaType: jsonMediaType,
    length: bodies.length,
    etag,
    parts: { bodies, facts, serveTime },
    showsLastRun: serveTime?.showsLastRun ?? false,
    codable: true,
    tagIn: () => etag,
    at: (priceMicroUsd) => envelopedBody({ bodies, tag, facts: { ...facts, priceMicroUsd }, serveTime }),
    finish(call, coding) {
      const suffix = printEnvelope(call, serveTime === null ? '' : printMembers(serveTime, call));
      const body = splice({ bodies, coding, suffix });
      const headers = ['Content-Type', jsonMediaType];
      if (coding !== 'identity') headers.push('Content-Encoding', coding);
      headers.push('X-Payload-Length', String(bodies.length));
      headers.push('Content-Digest', body.contentDigest, 'Repr-Digest', body.contentDigest);
      return { chunks: body.chunks, headers };
    },
  };
}

function printMembers(
  serveTime: ServeTimeMembers,
  { servedMs, latencyMs, lastRun }: Parameters<ServableBody['finish']>[0],
): string {
  const members = serveTime.at({ nowMs: servedMs, latencyMs, lastRun });
  return `${JSON.stringify(members).slice(1, -1)},`;
}

/** An artifact that is sent as it is stored. */
type OpaqueInput = {
  readonly bytes: CodedBytes;
  /** Media type of the artifact, without parameters. */
  readonly mediaType: string;
  /** Opaque value of the entity tag. */
  readonly tag: string;
  /** Name under which a browser keeps the file (I4.R28.4a); null without one. */
  readonly fileName: string | null;
};

/**
 * The body of an artifact of any other media type: no envelope, a strong tag, and the receipt in headers alone
 * (I4.30, I4.R28.4). Every price has the same bytes.
 */
export function opaqueBody({ bytes, mediaType, tag, fileName }: OpaqueInput): ServableBody {
  const isText = /^text\/|\+xml$/.test(mediaType);
  const contentType = /^text\//.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
  const described = [
    ...['Content-Type', contentType, 'Content-Security-Policy', pagePolicy],
    ...(fileName === null ? [] : ['Content-Disposition', `inline; filename="${fileName}"`]),
  ];
  const sent = new Map<Coding, SentBody>();

  function finished(coding: Coding): SentBody {
    const chunk = bytes.coded(coding);
    const digest = digestField(sha256Hex(chunk));
    return {
      chunks: [chunk],
      headers: [
        ...described,
        ...(coding === 'identity' ? [] : ['Content-Encoding', coding]),
        ...['Content-Digest', digest, 'Repr-Digest', digest],
      ],
    };
  }

  const body: ServableBody = {
    mediaType: contentType,
    length: bytes.bytes.length,
    etag: strongTag(tag, 'identity'),
    parts: null,
    showsLastRun: false,
    codable: isText && worthCoding(bytes.bytes.length),
    tagIn: (coding) => strongTag(tag, coding),
    at: () => body,
    finish(_, coding) {
      const known = sent.get(coding) ?? finished(coding);
      sent.set(coding, known);
      return known;
    },
  };
  return body;
}

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
