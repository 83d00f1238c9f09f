import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { RandomAccessFile } from './randomAccessFile.ts';

const endSignature = 0x06054b50;
const endSize = 22;
const locatorSignature = 0x07064b50;
const locatorSize = 20;
const end64Signature = 0x06064b50;
const end64Size = 56;
const maxComment = 0xffff;

/** Where the central directory lies; bytes. */
export type DirectoryBounds = { readonly offset: number; readonly size: number; readonly entries: number };

/** Builds the error for an archive whose structure cannot be trusted. */
export function badArchive(what: string): IssuerError {
  return new IssuerError({
    code: 'bad_archive',
    message: `The archive cannot be read: ${what}.`,
    hint: 'Fetch the archive again; when it stays broken, run with the last good copy.',
  });
}

/** Reads a 64-bit unsigned integer that must be a safe integer; throws bad_archive otherwise. */
export function safeUint64(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw badArchive('a 64-bit size or offset is beyond any file');
  return Number(value);
}

/**
 * Finds the central directory from the end of the file, zip64 included.
 *
 * Throws bad_archive when the end record is missing (a truncated file), spans disks, or points outside the file.
 */
export function findDirectory(file: RandomAccessFile): DirectoryBounds {
  const tailSize = Math.min(file.size, endSize + maxComment + locatorSize);
  const tail = Buffer.alloc(tailSize);
  const tailOffset = file.size - tailSize;
  if (file.read(tailOffset, tail) !== tailSize) throw badArchive('the file shrank while it was read');
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const end = findEnd(view);
  if (end < 0) throw badArchive('the end of the central directory is missing (truncated, or not a zip file)');
  const endOffset = tailOffset + end;
  if (view.getUint16(end + 4, true) !== 0 && view.getUint16(end + 4, true) !== 0xffff) {
    throw badArchive('it spans several disks');
  }
  const zip64 = end >= locatorSize && view.getUint32(end - locatorSize, true) === locatorSignature;
  const bounds = zip64
    ? readEnd64(file, safeUint64(view, end - locatorSize + 8), endOffset - locatorSize)
    : {
        entries: view.getUint16(end + 10, true),
        size: view.getUint32(end + 12, true),
        offset: view.getUint32(end + 16, true),
        recordOffset: endOffset,
      };
  if (bounds.offset + bounds.size !== bounds.recordOffset) {
    throw badArchive('the central directory does not end where its end record begins');
  }
  return { offset: bounds.offset, size: bounds.size, entries: bounds.entries };
}

function findEnd(view: DataView): number {
  for (let at = view.byteLength - endSize; at >= 0; at -= 1) {
    // the comment must reach exactly to the end, so that data posing as an end record is passed over
    if (
      view.getUint32(at, true) === endSignature &&
      at + endSize + view.getUint16(at + 20, true) === view.byteLength
    ) {
      return at;
    }
  }
  return -1;
}

function readEnd64(
  file: RandomAccessFile,
  recordOffset: number,
  locatorOffset: number,
): DirectoryBounds & { recordOffset: number } {
  if (recordOffset + end64Size > locatorOffset)
    throw badArchive('the zip64 end record lies outside the file');
  const record = Buffer.alloc(end64Size);
  if (file.read(recordOffset, record) !== end64Size) throw badArchive('the zip64 end record is cut');
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  if (view.getUint32(0, true) !== end64Signature) throw badArchive('the zip64 end record is missing');
  if (view.getUint32(16, true) !== 0) throw badArchive('it spans several disks');
  return {
    entries: safeUint64(view, 32),
    size: safeUint64(view, 40),
    offset: safeUint64(view, 48),
    recordOffset,
  };
}
