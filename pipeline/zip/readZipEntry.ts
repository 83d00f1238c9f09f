import { crc32, inflateRawSync } from 'node:zlib';
import { EntryFault, type RandomAccessFile, type ZipEntry } from './zipEntry.ts';

const signature = 0x04034b50;
const headerSize = 30;
const hasDescriptor = 0x8;
// local extra fields may differ from the central ones; what writers put there is tens of bytes
const maxLocalExtra = 4096;

/**
 * Reads, inflates and verifies one entry.
 *
 * Throws EntryFault when the local header disagrees with the central one, the data reaches into the next entry,
 * the stream is damaged or yields another size than declared, or the CRC-32 differs.
 */
export function readZipEntry(file: RandomAccessFile, entry: ZipEntry): Buffer {
  const nameLength = Buffer.byteLength(entry.name, (entry.flags & 0x800) !== 0 ? 'utf8' : 'latin1');
  const wanted = headerSize + nameLength + maxLocalExtra + entry.compressedSize;
  const bytes = Buffer.allocUnsafeSlow(Math.min(wanted, entry.limit - entry.localHeaderOffset));
  if (file.read(entry.localHeaderOffset, bytes) !== bytes.length) throw new EntryFault('its data is cut');
  const dataStart = checkLocalHeader(bytes, entry);
  if (dataStart + entry.compressedSize > bytes.length)
    throw new EntryFault('its data reaches into the next entry');
  const data = bytes.subarray(dataStart, dataStart + entry.compressedSize);
  const content = entry.method === 'stored' ? data : inflate(data, entry.size);
  if (content !== data) freeEntry(bytes);
  if (content.length !== entry.size) {
    throw new EntryFault(`it holds ${content.length} bytes where ${entry.size} are declared`);
  }
  if (crc32(content) !== entry.crc32) throw new EntryFault('its CRC-32 does not match');
  return content;
}

/**
 * Gives the memory of an entry back at once; the bytes must not be used afterwards.
 *
 * The collector would free it later, so that every entry met fresh pages, each a fault and a cleared page.
 */
export function freeEntry(content: Buffer): void {
  // smaller ones may lie in the pool that Node shares between buffers and will not detach
  if (content.length >= Buffer.poolSize) (content.buffer as ArrayBuffer).transfer(0);
}

function checkLocalHeader(bytes: Buffer, entry: ZipEntry): number {
  if (bytes.length < headerSize || bytes.readUInt32LE(0) !== signature) {
    throw new EntryFault('its local header is missing');
  }
  const flags = bytes.readUInt16LE(6);
  const method = bytes.readUInt16LE(8);
  const nameLength = bytes.readUInt16LE(26);
  const dataStart = headerSize + nameLength + bytes.readUInt16LE(28);
  if (dataStart > bytes.length) throw new EntryFault('its local header is cut');
  const name = bytes.toString((flags & 0x800) !== 0 ? 'utf8' : 'latin1', headerSize, headerSize + nameLength);
  if (name !== entry.name || flags !== entry.flags || method !== (entry.method === 'stored' ? 0 : 8)) {
    throw new EntryFault('its local header disagrees with the central directory');
  }
  if ((flags & hasDescriptor) === 0) checkLocalSizes(bytes, entry);
  return dataStart;
}

function checkLocalSizes(bytes: Buffer, entry: ZipEntry): void {
  const compressedSize = bytes.readUInt32LE(18);
  const size = bytes.readUInt32LE(22);
  // 0xffffffff defers to the zip64 extra field; the inflated size and the CRC decide in any case
  const agrees =
    bytes.readUInt32LE(14) === entry.crc32 &&
    (compressedSize === entry.compressedSize || compressedSize === 0xffffffff) &&
    (size === entry.size || size === 0xffffffff);
  if (!agrees) throw new EntryFault('its local header disagrees with the central directory');
}

function inflate(data: Buffer, size: number): Buffer {
  // zlib reports an error rather than produce more than maxOutputLength
  const room = size + 1;
  try {
    const { buffer, engine } = inflateRawSync(data, {
      chunkSize: Math.max(64, room),
      maxOutputLength: room,
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    if (engine.bytesWritten !== data.length) throw new EntryFault('its compressed data ends early');
    return buffer;
  } catch (cause) {
    if (cause instanceof EntryFault) throw cause;
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new EntryFault(`it holds more than the declared ${size} bytes`);
    throw new EntryFault('its compressed data is damaged');
  }
}
