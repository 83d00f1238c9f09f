import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  defaultZipLimits,
  type RandomAccessFile,
  type RefusedEntry,
  type ZipEntry,
  type ZipLimits,
} from './zipEntry.ts';

const signature = 0x02014b50;
const headerSize = 46;
const localHeaderSize = 30;
const encrypted = 0x1;
const strongEncryption = 0x40;
const maskedHeaders = 0x2000;
const utf8Name = 0x800;

type RawEntry = {
  name: string;
  flags: number;
  method: number;
  crc32: number;
  compressedSize: number;
  size: number;
  localHeaderOffset: number;
  /** local header and data, at least */
  minimumExtent: number;
  fault: string | null;
};

export type CentralDirectory = { readonly entries: ZipEntry[]; readonly refused: RefusedEntry[] };

/**
 * Reads the whole central directory in one read and judges every entry before any is opened.
 *
 * Entries that alone are at fault (odd name, encryption, unknown method, oversize, ratio) come back in `refused`.
 * Throws bad_archive when the archive as a whole cannot be trusted: truncated, entries that overlap or lie outside
 * the file, duplicate names, more entries or bytes than `limits` allow.
 *
 * @param wanted the names that come back; every entry is judged all the same. Of SEC's 970,000 registrants a few hundred
 * are needed, and the others take 37 bytes each while the directory is read
 */
export function readCentralDirectory(input: {
  file: RandomAccessFile;
  limits?: Partial<ZipLimits>;
  wanted?: (name: string) => boolean;
}): CentralDirectory {
  const limits = { ...defaultZipLimits, ...input.limits };
  const bounds = findDirectory(input.file);
  if (bounds.size > limits.directoryBytes) throw badArchive('its central directory is too large');
  if (bounds.entries > limits.entryCount) throw badArchive(`it lists more than ${limits.entryCount} entries`);
  if (bounds.entries * headerSize > bounds.size) throw badArchive('its central directory is cut');
  const bytes = Buffer.allocUnsafe(bounds.size);
  if (input.file.read(bounds.offset, bytes) !== bounds.size) throw badArchive('its central directory is cut');
  const headers = parseHeaders(bytes, bounds.entries);
  const ends = entryLimits(headers, bounds.offset);
  return judge(headers, { ends, limits, wanted: input.wanted ?? (() => true) });
}

/** The headers as columns: a million objects would take ten times as much. */
type Headers = {
  readonly count: number;
  /** The header as an object, read again. */
  entryAt(index: number): RawEntry;
  readonly localHeaderOffset: Float64Array;
  readonly minimumExtent: Float64Array;
  readonly nameHash: Float64Array;
};

function parseHeaders(bytes: Buffer, count: number): Headers {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [starts, localHeaderOffset] = [new Float64Array(count), new Float64Array(count)];
  const [minimumExtent, nameHash] = [new Float64Array(count), new Float64Array(count)];
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    if (at + headerSize > bytes.length || view.getUint32(at, true) !== signature) {
      throw badArchive(`central directory header ${i + 1} of ${count} is damaged`);
    }
    const { nameLength, extraLength, next } = lengthsAt(view, at);
    if (next > bytes.length) throw badArchive(`central directory header ${i + 1} of ${count} is cut`);
    const entry = parseHeader({ bytes, view, at, nameLength, extraLength });
    starts[i] = at;
    localHeaderOffset[i] = entry.localHeaderOffset;
    minimumExtent[i] = entry.minimumExtent;
    nameHash[i] = hashOf(entry.name);
    at = next;
  }
  if (at !== bytes.length) throw badArchive('its central directory holds more than the listed entries');
  const entryAt = (index: number) => {
    const start = starts[index] ?? 0;
    return parseHeader({ bytes, view, at: start, ...lengthsAt(view, start) });
  };
  return { count, entryAt, localHeaderOffset, minimumExtent, nameHash };
}

function lengthsAt(view: DataView, at: number) {
  const nameLength = view.getUint16(at + 28, true);
  const extraLength = view.getUint16(at + 30, true);
  const next = at + headerSize + nameLength + extraLength + view.getUint16(at + 32, true);
  return { nameLength, extraLength, next };
}

/** FNV-1a over the name twice, as a number of 53 bits; equal hashes are compared by name. */
function hashOf(name: string): number {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < name.length; i += 1) {
    const unit = name.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ (unit + i), 0x85ebca6b);
  }
  return (low >>> 0) * 0x200000 + (high >>> 11);
}

function parseHeader({
  bytes,
  view,
  at,
  nameLength,
  extraLength,
}: {
  bytes: Buffer;
  view: DataView;
  at: number;
  nameLength: number;
  extraLength: number;
}): RawEntry {
  const nameStart = at + headerSize;
  const flags = view.getUint16(at + 8, true);
  // names without the flag are code page 437, equal to ASCII where this product looks
  const encoding = (flags & utf8Name) !== 0 ? 'utf8' : 'latin1';
  const entry: RawEntry = {
    name: bytes.toString(encoding, nameStart, nameStart + nameLength),
    flags,
    method: view.getUint16(at + 10, true),
    crc32: view.getUint32(at + 16, true),
    compressedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    localHeaderOffset: view.getUint32(at + 42, true),
    minimumExtent: 0,
    fault: null,
  };
  applyZip64({ entry, view, extraStart: nameStart + nameLength, extraLength });
  entry.minimumExtent = localHeaderSize + nameLength + entry.compressedSize;
  return entry;
}

function applyZip64({
  entry,
  view,
  extraStart,
  extraLength,
}: {
  entry: RawEntry;
  view: DataView;
  extraStart: number;
  extraLength: number;
}): void {
  const wanted = [
    entry.size === 0xffffffff ? ('size' as const) : null,
    entry.compressedSize === 0xffffffff ? ('compressedSize' as const) : null,
    entry.localHeaderOffset === 0xffffffff ? ('localHeaderOffset' as const) : null,
  ].filter((field) => field !== null);
  if (wanted.length === 0) return;
  const end = extraStart + extraLength;
  let at = extraStart;
  while (at + 4 <= end) {
    const id = view.getUint16(at, true);
    const length = view.getUint16(at + 2, true);
    if (id === 0x0001 && at + 4 + length <= end && length >= wanted.length * 8) {
      wanted.forEach((field, i) => {
        entry[field] = safeUint64(view, at + 4 + i * 8);
      });
      return;
    }
    at += 4 + length;
  }
  throw badArchive(`zip64 sizes of ${printableName(entry.name)} are missing`);
}

/** Where each entry must end at the latest; throws bad_archive when two share bytes or one leaves the file. */
function entryLimits(headers: Headers, directoryOffset: number): Float64Array {
  const { count, localHeaderOffset, minimumExtent } = headers;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => (localHeaderOffset[a] ?? 0) - (localHeaderOffset[b] ?? 0));
  const ends = new Float64Array(count);
  let next = directoryOffset;
  for (let i = count - 1; i >= 0; i -= 1) {
    const index = order[i] ?? 0;
    const offset = localHeaderOffset[index] ?? 0;
    const end = offset + (minimumExtent[index] ?? 0);
    const shown = () => printableName(headers.entryAt(index).name);
    if (end > directoryOffset) throw badArchive(`entry ${shown()} lies outside the file`);
    if (end > next) throw badArchive(`entry ${shown()} overlaps another`);
    ends[index] = next;
    next = offset;
  }
  return ends;
}

function judge(
  headers: Headers,
  { ends, limits, wanted }: { ends: Float64Array; limits: ZipLimits; wanted: (name: string) => boolean },
): CentralDirectory {
  refuseTwins(headers);
  const entries: ZipEntry[] = [];
  const refused: RefusedEntry[] = [];
  let total = 0;
  for (let i = 0; i < headers.count; i += 1) {
    const entry = headers.entryAt(i);
    const reason = entryFault(entry, limits);
    if (reason !== null) {
      if (wanted(entry.name)) refused.push({ name: printableName(entry.name), reason });
      continue;
    }
    total += entry.size;
    if (total > limits.totalBytes) throw badArchive(`its entries exceed ${limits.totalBytes} bytes`);
    if (!wanted(entry.name)) continue;
    entries.push({
      name: entry.name,
      crc32: entry.crc32,
      compressedSize: entry.compressedSize,
      size: entry.size,
      method: entry.method === 0 ? 'stored' : 'deflate',
      flags: entry.flags,
      localHeaderOffset: entry.localHeaderOffset,
      limit: ends[i] ?? 0,
    });
  }
  return { entries, refused };
}

/** Throws bad_archive when a name is listed twice. */
function refuseTwins({ count, nameHash, entryAt }: Headers): void {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => (nameHash[a] ?? 0) - (nameHash[b] ?? 0));
  let names = new Set<string>();
  for (let i = 0; i < count; i += 1) {
    const [index, before] = [order[i] ?? 0, order[i - 1] ?? 0];
    const follows = i > 0 && nameHash[index] === nameHash[before];
    if (!follows) {
      if (names.size > 0) names = new Set();
      continue;
    }
    if (names.size === 0) names.add(entryAt(before).name);
    const { name } = entryAt(index);
    if (names.has(name)) throw badArchive(`entry ${printableName(name)} is listed twice`);
    names.add(name);
  }
}

function entryFault(entry: RawEntry, limits: ZipLimits): string | null {
  const nameFault = entryNameFault(entry.name);
  if (nameFault !== null) return nameFault;
  if ((entry.flags & (encrypted | strongEncryption | maskedHeaders)) !== 0) return 'it is encrypted';
  if (entry.method !== 0 && entry.method !== 8) return `compression method ${entry.method} is not supported`;
  if (entry.size > limits.entryBytes)
    return `it declares ${entry.size} bytes, more than ${limits.entryBytes}`;
  if (entry.method === 0 && entry.size !== entry.compressedSize)
    return 'it is stored but its two sizes differ';
  if (entry.size > 1024 * 1024 && entry.size > entry.compressedSize * limits.ratio) {
    return `it declares more than ${limits.ratio} times its compressed size`;
  }
  return null;
}

const maxName = 255;

/** Says why an entry name is refused, or null when it is a plain relative path. */
function entryNameFault(name: string): string | null {
  if (name === '') return 'the name is empty';
  if (name.length > maxName) return `the name is longer than ${maxName} characters`;
  if (/[\u0000-\u001f\u007f\ufffd]/.test(name)) return 'the name holds control or undecodable characters';
  if (name.includes('\\')) return 'the name holds a backslash';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'the name is an absolute path';
  const parts = name.split('/');
  if (parts.some((part) => part === '..' || part === '.')) return 'the name leaves its directory';
  if (parts.slice(0, -1).includes('')) return 'the name has an empty path segment';
  return null;
}

/** Makes an untrusted name safe to show: control characters escaped, at most 200 characters. */
function printableName(name: string): string {
  const shown = name.length > 200 ? `${name.slice(0, 200)}…` : name;
  return shown.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const endSignature = 0x06054b50;
const endSize = 22;
const locatorSignature = 0x07064b50;
const locatorSize = 20;
const end64Signature = 0x06064b50;
const end64Size = 56;
const maxComment = 0xffff;

/** Where the central directory lies; bytes. */
type DirectoryBounds = { readonly offset: number; readonly size: number; readonly entries: number };

/** Builds the error for an archive whose structure cannot be trusted. */
function badArchive(what: string): IssuerError {
  return new IssuerError({
    code: 'bad_archive',
    message: `The archive cannot be read: ${what}.`,
    hint: 'Fetch the archive again; when it stays broken, run with the last good copy.',
  });
}

/** Reads a 64-bit unsigned integer that must be a safe integer; throws bad_archive otherwise. */
function safeUint64(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw badArchive('a 64-bit size or offset is beyond any file');
  return Number(value);
}

/**
 * Finds the central directory from the end of the file, zip64 included.
 *
 * Throws bad_archive when the end record is missing (a truncated file), spans disks, or points outside the file.
 */
function findDirectory(file: RandomAccessFile): DirectoryBounds {
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
