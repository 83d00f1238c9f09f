import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const chunkBytes = 1 << 20;

/** sha256 of a file, lower-case hex; it may be larger than memory, and one chunk of it is held at a time. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path);
  try {
    const { size } = await file.stat();
    // a byte more than there should be, so that most files end with their first read
    const chunk = new Uint8Array(Math.min(chunkBytes, size + 1));
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) break;
      hash.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}
