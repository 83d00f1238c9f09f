import zlib from 'node:zlib';
import { sha256Hex } from './openBodies.ts';

export type FreeCoding = 'identity' | 'gzip' | 'zstd' | 'br';

/** Bytes that are the same for everyone, under a strong tag (I9.13). */
export type FreeDocument = {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly sha256: string;
  /** Opaque value of the tag, without the suffix of a coding. */
  readonly tag: string;
  /** The document in a coding; made when it is first asked for. */
  coded(coding: FreeCoding): Buffer;
};

const smallest = 1024;

/** Wraps finished bytes; the tag is the start of their SHA-256 unless one is given. */
export function freeDocument(o: { bytes: Buffer; contentType?: string; tag?: string }): FreeDocument {
  const sha256 = sha256Hex(o.bytes);
  const made = new Map<FreeCoding, Buffer>();
  return {
    bytes: o.bytes,
    contentType: o.contentType ?? 'application/json; charset=utf-8',
    sha256,
    tag: o.tag ?? sha256.slice(0, 32),
    coded(coding) {
      const known = made.get(coding);
      if (known !== undefined) return known;
      const bytes = encode(o.bytes, coding);
      made.set(coding, bytes);
      return bytes;
    },
  };
}

/** Strong tag of a document in one coding (I9.13). */
export function freeTag(document: FreeDocument, coding: FreeCoding): string {
  const suffix = { identity: '', gzip: '-gz', zstd: '-zst', br: '-br' }[coding];
  return `"${document.tag}${suffix}"`;
}

/** True when compressing this many bytes is worth a coding (I9.20). */
export function worthCoding(length: number): boolean {
  return length >= smallest;
}

function encode(bytes: Buffer, coding: FreeCoding): Buffer {
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
