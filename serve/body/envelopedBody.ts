import type { ServeTimeMembers } from '../../data/contract/payloads/serveTime.ts';
import { envelopePrinter } from './envelope.ts';
import type { EnvelopedParts, ServableBody } from './servableBody.ts';
import { splice } from './splice.ts';

/** Media type of every enveloped answer. */
const mediaType = 'application/json; charset=utf-8';

/** A JSON object that the serve-time members and the billing envelope of each call complete (I4.28). */
export type EnvelopedInput = EnvelopedParts & {
  /** Opaque value of the entity tag. */
  readonly tag: string;
};

/** The body of a JSON payload; its tag is weak, because two answers differ in their billing members (I9.13). */
export function envelopedBody({ bodies, tag, facts, serveTime }: EnvelopedInput): ServableBody {
  const printEnvelope = envelopePrinter({ ...facts, payloadSha256: bodies.payloadSha256 });
  const etag = `W/"${tag}"`;
  return {
    mediaType,
    length: bodies.length,
    etag,
    parts: { bodies, facts, serveTime },
    showsLastRun: serveTime?.showsLastRun ?? false,
    codingOf: (preferred) => preferred,
    tagIn: () => etag,
    at: (priceMicroUsd) => envelopedBody({ bodies, tag, facts: { ...facts, priceMicroUsd }, serveTime }),
    finish(call, coding) {
      const suffix = printEnvelope(call, printMembers(serveTime, call));
      const body = splice({ bodies, coding, suffix });
      const headers = ['Content-Type', mediaType];
      if (coding !== 'identity') headers.push('Content-Encoding', coding);
      headers.push('X-Payload-Length', String(bodies.length));
      headers.push('Content-Digest', body.contentDigest, 'Repr-Digest', body.contentDigest);
      return { chunks: body.chunks, headers };
    },
  };
}

function printMembers(
  serveTime: ServeTimeMembers | null,
  { servedMs, latencyMs, lastRun }: Parameters<ServableBody['finish']>[0],
): string {
  if (serveTime === null) return '';
  const members = serveTime.at({ nowMs: servedMs, latencyMs, lastRun });
  return `${JSON.stringify(members).slice(1, -1)},`;
}
