import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import type { Incoming } from '../exchange.ts';

/** Sizes of I8.5 in bytes. */
export const transportLimits = {
  target: 2048,
  headers: 32_768,
  jsonBody: 65_536,
  toolBody: 262_144,
} as const;

/** Most characters of a payment header (I8.5). */
const maxPaymentCharacters = 8192;

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
  const limit = bodyLimit(request.target);
  if (request.body.length > limit) throw payloadTooLarge(limit);
}

/** Refuses a body that is not plain JSON in UTF-8 on a route that takes one (I4.14). @throws IssuerError `unsupported_media_type` */
export function requireJsonBody(request: Incoming, route: Route): void {
  if (route.method !== 'POST' || request.body.length === 0) return;
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

/** What the parser refused, by its code. */
export function unparsedError(code: string | undefined): IssuerError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge(transportLimits.headers);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return overloaded('The request did not arrive in time.');
  return new IssuerError({
    code: 'invalid_parameter',
    message: 'The request is not valid HTTP/1.1.',
    hint: 'Check request line and header syntax.',
    details: { parameter: 'request', reason: 'bad_http' },
  });
}
