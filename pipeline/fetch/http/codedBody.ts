import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ConnectionFailure } from './httpSession.ts';

/**
 * The bytes of a body that came as gzip although identity was asked for; the reader bounds what it takes.
 *
 * @throws ConnectionFailure when the line fails or the coding is damaged.
 */
export async function* inflated(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  pipeline(Readable.from(body, { objectMode: false }), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
  } catch (error) {
    if (error instanceof ConnectionFailure) throw error;
    throw new ConnectionFailure('the gzip coding of the body is damaged or ends early', { cause: error });
  }
}
