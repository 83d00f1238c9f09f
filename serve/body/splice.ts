import zlib from 'node:zlib';
import type { Coding, OpenBodies } from './openBodies.ts';

/** Text of the suffix that is the same in every answer of a servable; each coding is made once, when it is first sent. */
export type ConstantPiece = {
  readonly text: Buffer;
  /** The same as text where it is short; null otherwise. */
  readonly short: string | null;
  /** Deflate blocks that end on a byte boundary and refer to nothing before them. */
  readonly deflated: Buffer;
  /** One whole zstd frame. */
  readonly frame: Buffer;
  /** CRC-32 of a whole that ends with the text, from that of what comes before it. */
  readonly crc: (before: number) => number;
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
/** Longest constant piece that is stored as text as well. */
const longestWritten = 4096;
/** Longest piece of a suffix that is copied: a write of its own costs more. */
const longestJoined = 65_536;

/** Prepares a piece of the suffix that never changes. */
export function constantPiece(text: string): ConstantPiece {
  const bytes = Buffer.from(text);
  let deflated: Buffer | null = null;
  let frame: Buffer | null = null;
  let crc: ConstantPiece['crc'] | null = null;
  return {
    text: bytes,
    short: bytes.length <= longestWritten ? text : null,
    get deflated() {
      deflated ??= zlib.deflateRawSync(bytes, { level: 9, finishFlush: zlib.constants.Z_SYNC_FLUSH });
      return deflated;
    },
    get frame() {
      frame ??= zlib.zstdCompressSync(bytes);
      return frame;
    },
    get crc() {
      crc ??= appendedCrc(bytes);
      return crc;
    },
  };
}

/**
 * Ends an open body with a suffix: plain bytes as they are; gzip with prepared and stored blocks, a final block
 * and a trailer that continues the stored CRC-32; zstd with further frames (I9.20). No compressor runs: setting
 * one up costs more than everything else a request does.
 */
export function splice({
  bodies,
  coding,
  suffix,
}: {
  bodies: OpenBodies;
  coding: Coding;
  suffix: Suffix;
}): SplicedBody {
  const open = bodies.body(coding);
  const parts = suffixParts[coding](suffix, bodies);
  // one write less is worth copying a short body; a long one is sent from the cache
  const joined = open.bytes.length <= longestCopied;
  const chunks = joinShort(joined ? [open.bytes, ...parts] : parts);
  const state = open.digestState.copy();
  for (const [i, chunk] of chunks.entries())
    state.update(joined && i === 0 ? chunk.subarray(open.bytes.length) : chunk);
  const contentDigest = `sha-256=:${state.digest('base64')}:`;
  return { chunks: joined ? chunks : [open.bytes, ...chunks], contentDigest };
}

/** Joins neighbours that are short; a long part goes out from where it lies. */
function joinShort(parts: readonly Uint8Array[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let short: Uint8Array[] = [];
  for (const part of parts) {
    if (part.length <= longestJoined) short.push(part);
    else {
      if (short.length > 0) chunks.push(Buffer.concat(short));
      chunks.push(part);
      short = [];
    }
  }
  if (short.length > 0) chunks.push(Buffer.concat(short));
  return chunks;
}

/** A suffix in each coding. */
const suffixParts: { readonly [C in Coding]: (suffix: Suffix, bodies: OpenBodies) => Uint8Array[] } = {
  identity: plainParts,
  gzip: gzipParts,
  zstd: (suffix) => suffix.map((piece) => (typeof piece === 'string' ? rawFrame(piece) : piece.frame)),
};

// a short piece is sooner written with its neighbours than copied from a buffer of its own
function plainParts(suffix: Suffix): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let text = '';
  for (const piece of suffix) {
    if (typeof piece === 'string') text += piece;
    else if (piece.short !== null) text += piece.short;
    else {
      parts.push(Buffer.from(text), piece.text);
      text = '';
    }
  }
  if (text !== '') parts.push(Buffer.from(text));
  return parts;
}

function gzipParts(suffix: Suffix, bodies: OpenBodies): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let { crc32: crc, length } = bodies;
  for (const piece of suffix) {
    if (typeof piece === 'string') {
      const text = Buffer.from(piece);
      crc = zlib.crc32(text, crc);
      length += text.length;
      parts.push(...storedBlocks(text));
    } else {
      crc = piece.crc(crc);
      length += piece.text.length;
      parts.push(piece.deflated);
    }
  }
  const trailer = Buffer.allocUnsafe(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(length >>> 0, 4);
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

/**
 * Prepares the CRC-32 of bytes (RFC 1952 §8), to be appended to another without reading the bytes again. The checksum of a
 * whole is that of its first part moved on by the length of the second, which is a multiplication by x^(8 × length) modulo
 * the polynomial, plus that of the second.
 */
export function appendedCrc(bytes: Uint8Array): ConstantPiece['crc'] {
  const own = zlib.crc32(bytes);
  const shift = powerOfX(bytes.length * 8);
  return (before) => (product(shift, before) ^ own) >>> 0;
}

// polynomials over two elements, modulo that of CRC-32; the highest bit is the coefficient of x^0
const polynomial = 0xedb88320;
const one = 0x8000_0000;
const x = 0x4000_0000;

// masks in place of branches, which a processor guesses wrong half the time
function product(a: number, b: number): number {
  let sum = 0;
  let shifted = b | 0;
  for (let power = 0; power < 32; power += 1) {
    sum ^= shifted & ((a << power) >> 31);
    shifted = (shifted >>> 1) ^ (polynomial & -(shifted & 1));
  }
  return sum >>> 0;
}

function powerOfX(exponent: number): number {
  let power = one;
  let square = x;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = product(power, square);
    square = product(square, square);
  }
  return power;
}
