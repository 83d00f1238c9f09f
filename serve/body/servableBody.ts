import type { ServeTimeMembers } from '../../data/contract/payloads/serveTime.ts';
import type { LastRun } from '../../data/contract/release/releaseFiles.ts';
import type { EnvelopeCall, EnvelopeFacts } from './envelope.ts';
import type { Coding, OpenBodies } from './openBodies.ts';

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
  /** The coding the answer has when the client prefers one. */
  codingOf(preferred: Coding): Coding;
  /** Entity tag of the answer in a coding: weak where each call adds billing members (I9.13). */
  tagIn(coding: Coding): string;
  /** The same body at another price, in micro-USD. */
  at(priceMicroUsd: number): ServableBody;
  finish(call: BodyCall, coding: Coding): SentBody;
};
