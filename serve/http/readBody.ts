import type { Readable } from 'node:stream';

/** What came of a body: all of it, more than is taken, or the client left in between. */
export type ReadBody =
  | { readonly kind: 'complete'; readonly body: Uint8Array }
  | { readonly kind: 'too_large' | 'cut' };

/** Reads the body of a request; only the bytes that the limit allows are ever held (I8.5). */
export function readBody(request: Readable, limit: number): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let length = 0;
  // an iterator over the chunks costs as much as the rest of a small request
  return new Promise((resolve) => {
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= limit) {
        chunks.push(chunk);
        return;
      }
      // the answer still goes over its socket
      request.off('data', onData);
      request.pause();
      resolve({ kind: 'too_large' });
    };
    request.on('data', onData);
    request.once('end', () => {
      const [first] = chunks;
      const isWhole = chunks.length === 1 && first !== undefined;
      resolve({ kind: 'complete', body: isWhole ? first : Buffer.concat(chunks) });
    });
    for (const event of ['error', 'close']) request.on(event, () => resolve({ kind: 'cut' }));
  });
}
