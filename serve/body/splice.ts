import zlib from 'node:zlib';
import type { Coding, OpenBodies } from './openBodies.ts';

/** Text of the suffix that is the same in every answer of a servable; each coding is made once, when it is first sent. */
export type ConstantPiece = {
  readonly text: Buffer;
  /** Deflate blocks that end on a byte boundary and refer to nothing before them. */
  readonly deflated: Buffer;
  /** One whole zstd frame. */
  readonly frame: Buffer;
};

/** What follows an open body: `,"member":…}` in pieces, known ones prepared, the rest as text. */
export type Suffix = readonly (ConstantPiece | string)[];

/** A finished body: chunks in sending order and the digest over exactly these bytes (I9.14). */
export type SplicedBody = {
  readonly chunks: readonly Uint8Array[];
  /** RFC 9530 field value. */
  readonly contentDigest: string;
};

const emptyFinalBlock = Buffer.from([3, 0]);
const zstdMagic = 0xfd2fb528;
const maxStoredBlock = 65_535;
const longestCopied = 8192;

/** Prepares a piece of the suffix that never changes. */
export function constantPiece(text: string): ConstantPiece {
  const bytes = Buffer.from(text);
  let deflated: Buffer | null = null;
  let frame: Buffer | null = null;
  return {
    text: bytes,
    get deflated() {
      deflated ??= zlib.deflateRawSync(bytes, { level: 9, finishFlush: zlib.constants.Z_SYNC_FLUSH });
      return deflated;
    },
    get frame() {
      frame ??= zlib.zstdCompressSync(bytes);
      return frame;
    },
  };
}

/**
 * Ends an open body with a suffix: plain bytes as they are; gzip with prepared and stored blocks, a final block
 * and a trailer that continues the stored CRC-32; zstd with further frames (I9.20). No compressor runs: setting
 * one up costs more than everything else a request does.
 */
export function splice(input: { bodies: OpenBodies; coding: Coding; suffix: Suffix }): SplicedBody {
  const open = input.bodies.body(input.coding);
  const parts = tailParts(input);
  // one write less is worth copying a short body; a long one is sent from the cache
  const joined = open.bytes.length <= longestCopied;
  const bytes = Buffer.concat(joined ? [open.bytes, ...parts] : parts);
  const tail = joined ? bytes.subarray(open.bytes.length) : bytes;
  const digest = open.digestState.copy().update(tail).digest('base64');
  return { chunks: joined ? [bytes] : [open.bytes, bytes], contentDigest: `sha-256=:${digest}:` };
}

function tailParts({
  bodies,
  coding,
  suffix,
}: {
  bodies: OpenBodies;
  coding: Coding;
  suffix: Suffix;
}): Uint8Array[] {
  switch (coding) {
    case 'identity':
      return suffix.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece.text));
    case 'gzip':
      return gzipParts(bodies, suffix);
    case 'zstd':
      return suffix.map((piece) => (typeof piece === 'string' ? rawFrame(piece) : piece.frame));
  }
}

function gzipParts(bodies: OpenBodies, suffix: Suffix): Uint8Array[] {
  const parts: Uint8Array[] = [];
  // one checksum over the joined text: a call a piece costs more than joining them
  const text = Buffer.concat(tailParts({ bodies, coding: 'identity', suffix }));
  let at = 0;
  for (const piece of suffix) {
    const length = typeof piece === 'string' ? Buffer.byteLength(piece) : piece.text.length;
    if (typeof piece === 'string') parts.push(...storedBlocks(text.subarray(at, at + length)));
    else parts.push(piece.deflated);
    at += length;
  }
  const trailer = Buffer.allocUnsafe(8);
  trailer.writeUInt32LE(zlib.crc32(text, bodies.crc32), 0);
  trailer.writeUInt32LE((bodies.length + text.length) >>> 0, 4);
  parts.push(emptyFinalBlock, trailer);
  return parts;
}

// RFC 1951 §3.2.4; the stream is at a byte boundary before and after every piece
function storedBlocks(text: Buffer): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < text.length; at += maxStoredBlock) {
    const part = text.subarray(at, at + maxStoredBlock);
    const header = Buffer.allocUnsafe(5);
    header[0] = 0;
    header.writeUInt16LE(part.length, 1);
    header.writeUInt16LE(~part.length & 0xffff, 3);
    blocks.push(header, part);
  }
  return blocks;
}

// RFC 8878 §3.1.1: single segment, four-byte content size, one raw block
function rawFrame(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  if (bytes.length >= 1 << 17) return zlib.zstdCompressSync(bytes);
  const frame = Buffer.allocUnsafe(12 + bytes.length);
  frame.writeUInt32LE(zstdMagic, 0);
  frame[4] = 0b1010_0000;
  frame.writeUInt32LE(bytes.length, 5);
  frame.writeUIntLE((bytes.length << 3) | 1, 9, 3);
  bytes.copy(frame, 12);
  return frame;
}
