import type { Readable } from 'node:stream';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { HeaderLists, Incoming } from '../exchange.ts';

/** Sizes of I8.5 in bytes. */
export const transportLimits = {
  target: 2048,
  headers: 32_768,
  jsonBody: 65_536,
  toolBody: 262_144,
} as const;

/** Most characters of a payment header (I8.5). */
const maxPaymentCharacters = 8192;

/** Sum of the chunk lengths in bytes. */
export function bodyLength(body: readonly Uint8Array[]): number {
  let length = 0;
  for (const chunk of body) length += chunk.length;
  return length;
}

/** Most body bytes a request target may carry (I8.5). */
export function bodyLimit(target: string): number {
  return /^\/mcp(\?|$)/.test(target) ? transportLimits.toolBody : transportLimits.jsonBody;
}

/**
 * Checks the sizes of a request (I4.7 step 1).
 *
 * @throws IssuerError `uri_too_long`, `header_fields_too_large` or `payload_too_large`.
 */
export function checkTransportLimits(request: Incoming): void {
  if (request.target.length > transportLimits.target) {
    throw new IssuerError({
      code: 'uri_too_long',
      message: `The URL is longer than ${transportLimits.target} bytes.`,
      hint: 'Shorten the query.',
      details: { max_bytes: transportLimits.target },
    });
  }
  for (const name of ['payment-signature', 'x-payment', 'authorization']) {
    if (request.headers[name]?.some((line) => line.length > maxPaymentCharacters)) {
      throw headersTooLarge(maxPaymentCharacters);
    }
  }
  if (request.body.length === 0) return;
  const limit = bodyLimit(request.target);
  if (request.body.length > limit) throw payloadTooLarge(limit);
}

/** Refuses a body that is not plain JSON in UTF-8 on a route that takes one (I4.14). @throws IssuerError `unsupported_media_type` */
export function requireJsonBody(request: Incoming): void {
  if (request.body.length === 0) return;
  const { 'content-type': types, 'content-encoding': codings } = request.headers;
  const type = types?.[0] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw unsupported('The body is not declared as JSON.', 'Send Content-Type: application/json.');
  // read as what it is not, the text would mean something else or nothing
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset))
    throw unsupported(
      'The body is declared in another character set than UTF-8.',
      'Send JSON as UTF-8, without charset.',
    );
  if (codings?.some((coding) => !/^\s*(identity\s*)?$/i.test(coding)) === true)
    throw unsupported('The body is declared as compressed.', 'Send it without Content-Encoding.');
}

function unsupported(message: string, hint: string): IssuerError {
  return new IssuerError({ code: 'unsupported_media_type', message, hint });
}

export function headersTooLarge(maxBytes: number): IssuerError {
  return new IssuerError({
    code: 'header_fields_too_large',
    message: `The header fields are larger than ${maxBytes} bytes.`,
    hint: 'Send fewer or shorter headers.',
    details: { max_bytes: maxBytes },
  });
}

export function payloadTooLarge(maxBytes: number): IssuerError {
  return new IssuerError({
    code: 'payload_too_large',
    message: `The body is larger than ${maxBytes} bytes.`,
    hint: 'Send a smaller body.',
    details: { max_bytes: maxBytes },
  });
}

export function overloaded(message: string): IssuerError {
  return new IssuerError({ code: 'overloaded', message, hint: 'Try again.' });
}

/** What the parser refused, by its code or method. */
export function unparsedError(code: string | undefined): IssuerError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge(transportLimits.headers);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return overloaded('The request did not arrive in time.');
  if (code === 'CONNECT')
    return new IssuerError({
      code: 'method_not_allowed',
      message: 'The server opens no tunnels.',
      hint: 'Send the request itself: GET, HEAD, POST or OPTIONS.',
      details: { allowed_methods: ['GET', 'HEAD', 'POST', 'OPTIONS'] },
    });
  return new IssuerError({
    code: 'invalid_parameter',
    message: 'The request is not valid HTTP/1.1.',
    hint: 'Check request line and header syntax.',
    details: { parameter: 'request', reason: 'bad_http' },
  });
}

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

/**
 * Reads the body of a request: all of it, or why it has none: more than the limit, or the client left in between. Only the
 * bytes that the limit allows are ever in memory (I8.5).
 */
export function readBody(request: Readable, limit: number): Promise<Uint8Array | 'too_large' | 'cut'> {
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
      resolve('too_large');
    };
    request.on('data', onData);
    request.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    });
    request.on('error', () => resolve('cut'));
    request.on('close', () => resolve('cut'));
  });
}
