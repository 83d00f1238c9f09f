import type { Readable } from 'node:stream';

/** What came of a body: all of it, more than is taken, or the client left in between. */
export type ReadBody =
  | { readonly kind: 'complete'; readonly body: Uint8Array }
  | { readonly kind: 'too_large' | 'cut' };

/**
 * Reads the body of a request and hands it on once, in the turn its last byte came; only the bytes that the limit allows
 * are ever in memory (I8.5).
 */
export function readBody(request: Readable, limit: number, read: (body: ReadBody) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  let isOver = false;
  const finish = (body: ReadBody): void => {
    if (isOver) return;
    isOver = true;
    read(body);
  };
  // an iterator over the chunks, or a promise, costs as much as the rest of a small request
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length <= limit) {
      chunks.push(chunk);
      return;
    }
    // the answer still goes over its socket
    request.off('data', onData);
    request.pause();
    finish({ kind: 'too_large' });
  };
  request.on('data', onData);
  request.on('end', () => {
    const [first] = chunks;
    const isWhole = chunks.length === 1 && first !== undefined;
    finish({ kind: 'complete', body: isWhole ? first : Buffer.concat(chunks) });
  });
  const onCut = (): void => finish({ kind: 'cut' });
  request.on('error', onCut);
  request.on('close', onCut);
}
