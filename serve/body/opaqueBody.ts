import { pagePolicy } from '../http/pagePolicy.ts';
import { type CodedBytes, strongTag, worthCoding } from './codedBytes.ts';
import { type Coding, digestField, sha256Hex } from './openBodies.ts';
import type { SentBody, ServableBody } from './servableBody.ts';

/** An artifact that is sent as it is stored. */
export type OpaqueInput = {
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
    codingOf: (preferred) => (isText && worthCoding(bytes.bytes.length) ? preferred : 'identity'),
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
