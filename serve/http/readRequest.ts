import type { Readable } from 'node:stream';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { HeaderLists } from '../exchange.ts';

/**
 * Judges what the parser lets through and HTTP/1.1 does not: a request without a host or with two, a transfer coding
 * that we do not know, an expectation (RFC 9112 3.2 and 6.1, RFC 9110 10.1.1). Two readers of one such request may
 * disagree where it ends, or whom it is for.
 *
 * @returns the refusal, after which the connection closes; null when nothing is wrong
 */
export function framingFault({
  headers,
  httpVersion,
}: {
  headers: HeaderLists;
  httpVersion: string;
}): IssuerError | null {
  const hosts = headers['host'] ?? [];
  if (hosts.length === 0 && httpVersion !== '1.0')
    return badHeader('Host', 'missing', 'Send one Host header.');
  if (hosts.length > 1) return badHeader('Host', 'repeated', 'Send one Host header.');
  const codings = headers['transfer-encoding'];
  if (codings !== undefined && (codings.length > 1 || codings[0]?.trim().toLowerCase() !== 'chunked'))
    return badHeader('Transfer-Encoding', 'not_supported', 'Use chunked alone, or Content-Length.');
  const expected = headers['expect'];
  if (expected?.some((line) => line.trim().toLowerCase() !== '100-continue')) return unmetExpectation();
  return null;
}

function unmetExpectation(): IssuerError {
  return new IssuerError({
    code: 'expectation_failed',
    message: 'The expectation of this request cannot be met.',
    hint: 'Leave Expect out, or expect 100-continue.',
    details: { parameter: 'Expect' },
  });
}

function badHeader(parameter: string, reason: string, hint: string): IssuerError {
  return new IssuerError({
    code: 'invalid_parameter',
    message: `The header ${parameter} of this request cannot be taken.`,
    hint,
    details: { parameter, reason },
  });
}

/** What came of a body: all of it, more than is taken, or the client left in between. */
type ReadBody =
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
