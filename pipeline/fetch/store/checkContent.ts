import { type FileHandle, open } from 'node:fs/promises';
import { checkXbrlDocument, type XbrlDocumentKind } from '../filings/checkXbrlDocument.ts';

/** What a downloaded file must be before it is stored. */
export type ContentKind = 'zip' | 'json' | 'submission' | XbrlDocumentKind;

const endOfDirectory = 0x06054b50;
const endOfDirectory64 = 0x07064b50;
const maxCommentBytes = 65_535;
const maxJsonBytes = 256 << 20;

/**
 * Says what is wrong with a finished download, or null: a zip must end in its own end-of-central-directory
 * record (so a body cut short by a wrong Content-Length, or an error page, is not stored), a JSON file must
 * parse as an object, a submission text must open with its header and close, an XBRL document must open and close the root element of its kind.
 *
 * Reads at most the tail of a zip. Entries are checked at ingest.
 */
export async function checkContent({
  path,
  kind,
}: {
  path: string;
  kind: ContentKind;
}): Promise<string | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (kind === 'zip') return await checkZipTail(file, size);
    if (kind === 'json') return await checkJson(file, size);
    if (kind === 'submission') return await checkSubmission(file, size);
    return await checkXbrlDocument(file, { size, kind });
  } finally {
    await file.close();
  }
}

async function checkZipTail(file: FileHandle, size: number): Promise<string | null> {
  if (size < 22) return `it has ${size} bytes, too few for a zip archive`;
  const tailBytes = Math.min(size, 22 + maxCommentBytes + 20);
  const tail = Buffer.alloc(tailBytes);
  await file.read(tail, 0, tailBytes, size - tailBytes);
  for (let at = tailBytes - 22; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== endOfDirectory) continue;
    // a record whose comment does not end the file is a signature inside a comment
    if (at + 22 + tail.readUInt16LE(at + 20) !== tailBytes) continue;
    if (at >= 20 && tail.readUInt32LE(at - 20) === endOfDirectory64) return null;
    const directoryEnd = tail.readUInt32LE(at + 16) + tail.readUInt32LE(at + 12);
    return directoryEnd === size - tailBytes + at
      ? null
      : 'its central directory does not end where the archive does';
  }
  return 'it does not end in a zip central directory';
}

/** Its tags open and close it; the privacy-enhanced texts of before 2001 are older than any coin. */
async function checkSubmission(file: FileHandle, size: number): Promise<string | null> {
  const head = Buffer.alloc(Math.min(size, 4096));
  const tail = Buffer.alloc(Math.min(size, 256));
  await file.read(head, 0, head.length, 0);
  await file.read(tail, 0, tail.length, size - tail.length);
  if (!/^<SEC-DOCUMENT>/.test(head.toString('latin1')) || !head.includes('ACCESSION NUMBER:'))
    return 'it does not begin as a submission text';
  return /<\/SEC-DOCUMENT>\s*$/.test(tail.toString('latin1')) ? null : 'it does not end as a submission text';
}

async function checkJson(file: FileHandle, size: number): Promise<string | null> {
  if (size > maxJsonBytes) return `it has ${size} bytes, more than any JSON file of this source`;
  try {
    const value: unknown = JSON.parse(await file.readFile('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? null
      : 'it is not a JSON object';
  } catch {
    return 'it is not JSON';
  }
}
