import { createHash, type Hash, hash } from 'node:crypto';
import zlib from 'node:zlib';
import { objectMembers } from '../../data/store/bytes/objectMembers.ts';

export type Coding = 'identity' | 'gzip' | 'zstd';

/** Bytes of an open body in one coding, with the SHA-256 state after them, ready to be copied (I4.26). */
export type OpenBody = { readonly bytes: Buffer; readonly digestState: Hash };

/**
 * A JSON object without its closing brace, in every coding an answer may use: more members can follow without
 * touching what is there.
 */
export type OpenBodies = {
  /** Bytes before content coding: `X-Payload-Length`. */
  readonly length: number;
  /** CRC-32 of the uncoded bytes, to be continued by the gzip trailer. */
  readonly crc32: number;
  /** SHA-256 of the closed object. */
  readonly payloadSha256: string;
  body(coding: Coding): OpenBody;
};

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const closingBrace = Buffer.from('}');

/**
 * Prepares an open body. Stored codings are used when they decode to exactly the open bytes; otherwise, and for
 * views, a coding is made when it is first asked for.
 */
export function openBodies({
  open,
  stored,
}: {
  open: Buffer;
  stored?: { readonly gzip: Buffer | null; readonly zstd: Buffer | null };
}): OpenBodies {
  const identity: OpenBody = { bytes: open, digestState: createHash('sha256').update(open) };
  let gzip = usable(stored?.gzip ?? null, open, inflateOpenGzip);
  let zstd = usable(stored?.zstd ?? null, open, inflateZstd);
  return {
    length: open.length,
    crc32: zlib.crc32(open),
    payloadSha256: identity.digestState.copy().update(closingBrace).digest('hex'),
    body(coding) {
      switch (coding) {
        case 'identity':
          return identity;
        case 'gzip':
          gzip ??= withState(Buffer.concat([gzipHeader, deflateOpen(open)]));
          return gzip;
        case 'zstd':
          zstd ??= withState(zlib.zstdCompressSync(open));
          return zstd;
      }
    },
  };
}

/** SHA-256 in base64 as RFC 9530 prints it. */
export function digestField(sha256Hex: string): string {
  return `sha-256=:${Buffer.from(sha256Hex, 'hex').toString('base64')}:`;
}

/** SHA-256 of a text or of bytes, in hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

function withState(bytes: Buffer): OpenBody {
  return { bytes, digestState: createHash('sha256').update(bytes) };
}

function deflateOpen(open: Buffer): Buffer {
  return zlib.deflateRawSync(open, { finishFlush: zlib.constants.Z_SYNC_FLUSH });
}

function inflateOpenGzip(stored: Buffer, limit: number): Buffer {
  if (stored.length < 10 || stored[0] !== 0x1f || stored[1] !== 0x8b || stored[2] !== 8 || stored[3] !== 0) {
    throw new TypeError('not a plain gzip header');
  }
  return zlib.inflateRawSync(stored.subarray(10), {
    finishFlush: zlib.constants.Z_SYNC_FLUSH,
    maxOutputLength: limit,
  });
}

function inflateZstd(stored: Buffer, limit: number): Buffer {
  return zlib.zstdDecompressSync(stored, { maxOutputLength: limit });
}

// stored codings are in no manifest, so they count only while they decode to the verified bytes
function usable(
  stored: Buffer | null,
  open: Buffer,
  decode: (stored: Buffer, limit: number) => Buffer,
): OpenBody | null {
  if (stored === null) return null;
  try {
    return decode(stored, open.length + 1).equals(open) ? withState(stored) : null;
  } catch {
    return null;
  }
}

const knownMembers = new WeakMap<OpenBodies, ReadonlyMap<string, Buffer>>();

/**
 * The members of a stored object as the byte ranges they lie in. The object is walked once while it is loaded.
 *
 * @throws TypeError when the bytes are no canonical JSON object; stored objects are hashed before they get here.
 */
export function storedMembers(bodies: OpenBodies): ReadonlyMap<string, Buffer> {
  const found = knownMembers.get(bodies);
  if (found !== undefined) return found;
  const members = objectMembers(bodies.body('identity').bytes);
  knownMembers.set(bodies, members);
  return members;
}

export type ContentCoding = 'identity' | 'gzip' | 'zstd' | 'br';

/** Bytes that are the same for every reader, in each coding that is asked for. */
export type CodedBytes = {
  readonly bytes: Buffer;
  /** Made when it is first asked for. */
  coded(coding: ContentCoding): Buffer;
};

const smallest = 1024;

/** Wraps finished bytes. */
export function codedBytes(bytes: Buffer): CodedBytes {
  const made = new Map<ContentCoding, Buffer>();
  return {
    bytes,
    coded(coding) {
      const known = made.get(coding);
      if (known !== undefined) return known;
      const encoded = encode(bytes, coding);
      made.set(coding, encoded);
      return encoded;
    },
  };
}

/** The strong entity tag of bytes in one coding (I9.13). */
export function strongTag(value: string, coding: ContentCoding): string {
  return `"${value}${{ identity: '', gzip: '-gz', zstd: '-zst', br: '-br' }[coding]}"`;
}

/** True when compressing this many bytes is worth a coding (I9.20). */
export function worthCoding(length: number): boolean {
  return length >= smallest;
}

function encode(bytes: Buffer, coding: ContentCoding): Buffer {
  switch (coding) {
    case 'identity':
      return bytes;
    case 'gzip':
      return zlib.gzipSync(bytes);
    case 'zstd':
      return zlib.zstdCompressSync(bytes);
    case 'br':
      return zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } });
  }
}
