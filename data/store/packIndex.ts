import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

// The index of a pack: 24 bytes of header (magic, records, length of the pack), one record of 64 bytes for each object,
// ascending by sha256, and the SHA-256 of all before. Numbers are big-endian.
//
//   record: sha256 (32) | offset (8) | length (8) | gzip length (4) | zstd length (4) | gzip crc32 (4) | zstd crc32 (4)
//
// The stored codings lie right behind the bytes they are of, so that one read gets an object with its codings; a length
// of 0 says that there is none.

const magic = Buffer.from('IIPACK\0\x02', 'latin1');
const headerLength = 24;
const recordLength = 64;
const trailerLength = 32;

/** Where a stored coding ends and what it must be. */
export type PackedCoding = { readonly length: number; readonly crc32: number };

/** One object of a pack. */
export type PackedObject = {
  readonly sha256: string;
  readonly offset: number;
  readonly length: number;
  readonly gzip: PackedCoding | null;
  readonly zstd: PackedCoding | null;
};

/** A checked index; a record is decoded when it is asked for. */
export type PackIndex = {
  readonly count: number;
  /** Bytes of the pack. */
  readonly packLength: number;
  /** Bytes the index itself takes. */
  readonly bytes: number;
  find(sha256: string): PackedObject | null;
  /** Place of an object in the order of hashes; -1 when the pack does not hold it. */
  position(sha256: string): number;
  /** In the order of hashes. */
  all(): Iterable<PackedObject>;
};

/** What the index says of a stored coding; null where there is none. */
export function packedCoding(bytes: Uint8Array | null): PackedCoding | null {
  return bytes === null ? null : { length: bytes.length, crc32: crc32(bytes) };
}

/** Bytes an object takes with its codings. */
export function packedLength({ length, gzip, zstd }: Omit<PackedObject, 'sha256' | 'offset'>): number {
  return length + (gzip?.length ?? 0) + (zstd?.length ?? 0);
}

/** Encodes the index of a pack. */
export function encodePackIndex({
  objects,
  packLength,
}: {
  readonly objects: readonly PackedObject[];
  readonly packLength: number;
}): Buffer {
  const sorted = objects.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
  const end = headerLength + recordLength * sorted.length;
  const bytes = Buffer.alloc(end + trailerLength);
  magic.copy(bytes);
  bytes.writeBigUInt64BE(BigInt(sorted.length), 8);
  bytes.writeBigUInt64BE(BigInt(packLength), 16);
  sorted.forEach(({ sha256, offset, length, gzip, zstd }, i) => {
    const at = headerLength + recordLength * i;
    bytes.write(sha256, at, 'hex');
    bytes.writeBigUInt64BE(BigInt(offset), at + 32);
    bytes.writeBigUInt64BE(BigInt(length), at + 40);
    bytes.writeUInt32BE(gzip?.length ?? 0, at + 48);
    bytes.writeUInt32BE(zstd?.length ?? 0, at + 52);
    bytes.writeUInt32BE(gzip?.crc32 ?? 0, at + 56);
    bytes.writeUInt32BE(zstd?.crc32 ?? 0, at + 60);
  });
  hash('sha256', bytes.subarray(0, end), 'buffer').copy(bytes, end);
  return bytes;
}

/** Checks the bytes of an index: the index, or what is wrong with it. */
export function decodePackIndex(bytes: Buffer): { readonly index: PackIndex } | { readonly fault: string } {
  if (bytes.length < headerLength + trailerLength) return { fault: 'it is cut short' };
  if (!bytes.subarray(0, 8).equals(magic)) return { fault: 'it is no index of this layout' };
  const end = bytes.length - trailerLength;
  const records = bytes.readBigUInt64BE(8);
  if (records * BigInt(recordLength) + BigInt(headerLength) !== BigInt(end)) {
    return { fault: 'it is cut short' };
  }
  if (!hash('sha256', bytes.subarray(0, end), 'buffer').equals(bytes.subarray(end))) {
    return { fault: 'its checksum is wrong' };
  }
  const count = Number(records);
  const packLength = Number(bytes.readBigUInt64BE(16));
  // a night opens the indexes of years: nothing is made for a record
  for (let i = 0; i < count; i += 1) {
    if (endAt(bytes, i) > packLength) return { fault: 'an object lies outside of its pack' };
    if (i > 0 && !isAfterTheLast(bytes, i)) return { fault: 'its objects are out of order' };
  }
  return {
    index: {
      count,
      packLength,
      bytes: bytes.length,
      find(sha256) {
        const i = position(bytes, { count, sha256 });
        return i < 0 ? null : recordAt(bytes, i);
      },
      position: (sha256) => position(bytes, { count, sha256 }),
      *all() {
        for (let i = 0; i < count; i += 1) yield recordAt(bytes, i);
      },
    },
  };
}

function position(bytes: Buffer, { count, sha256 }: { count: number; sha256: string }): number {
  const wanted = Buffer.from(sha256, 'hex');
  let low = 0;
  let high = count;
  while (low < high) {
    const i = (low + high) >>> 1;
    const at = headerLength + recordLength * i;
    const order = bytes.compare(wanted, 0, wanted.length, at, at + 32);
    if (order === 0) return i;
    if (order < 0) low = i + 1;
    else high = i;
  }
  return -1;
}

/** Where an object ends in its pack, its codings included. */
function endAt(bytes: Buffer, i: number): number {
  const at = headerLength + recordLength * i;
  // offset and length, each in two halves; then the lengths of the codings
  const high = bytes.readUInt32BE(at + 32) + bytes.readUInt32BE(at + 40);
  const low = bytes.readUInt32BE(at + 36) + bytes.readUInt32BE(at + 44);
  return high * 2 ** 32 + low + bytes.readUInt32BE(at + 48) + bytes.readUInt32BE(at + 52);
}

/** Whether the hash of a record is greater than that of the record before. */
function isAfterTheLast(bytes: Buffer, i: number): boolean {
  const at = headerLength + recordLength * i;
  const before = at - recordLength;
  // the first six bytes nearly always decide
  const [own, other] = [bytes.readUIntBE(at, 6), bytes.readUIntBE(before, 6)];
  return own === other ? bytes.compare(bytes, before, before + 32, at, at + 32) > 0 : own > other;
}

function recordAt(bytes: Buffer, i: number): PackedObject {
  const at = headerLength + recordLength * i;
  const coding = (lengthAt: number, crcAt: number): PackedCoding | null => {
    const length = bytes.readUInt32BE(at + lengthAt);
    return length === 0 ? null : { length, crc32: bytes.readUInt32BE(at + crcAt) };
  };
  return {
    sha256: bytes.toString('hex', at, at + 32),
    offset: Number(bytes.readBigUInt64BE(at + 32)),
    length: Number(bytes.readBigUInt64BE(at + 40)),
    gzip: coding(48, 56),
    zstd: coding(52, 60),
  };
}
