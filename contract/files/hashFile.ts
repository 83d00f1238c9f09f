import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** sha256 of a file, lower-case hex, read as a stream. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}
