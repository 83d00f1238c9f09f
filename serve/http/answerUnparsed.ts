import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { bodyLength, type Incoming, type Outgoing } from '../exchange.ts';
import { headersTooLarge, overloaded, transportLimits } from './transportLimits.ts';

/** Answers what the parser refused: oversized headers, broken syntax, headers or bodies that came too slowly. */
export function answerUnparsed({
  error,
  socket,
  refusal,
}: {
  error: NodeJS.ErrnoException;
  socket: Socket;
  refusal(request: Incoming, error: IssuerError): Outgoing;
}): Outgoing | null {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return null;
  }
  const request: Incoming = {
    method: 'GET',
    target: '/',
    headers: {},
    body: new Uint8Array(0),
    clientAddress: socket.remoteAddress ?? '',
    secureTransport: false,
    clientGone: () => socket.destroyed,
  };
  const outgoing = refusal(request, unparsedError(error.code));
  const lines = [`HTTP/1.1 ${outgoing.status} ${STATUS_CODES[outgoing.status] ?? ''}`];
  for (let i = 0; i < outgoing.headers.length; i += 2)
    lines.push(`${outgoing.headers[i]}: ${outgoing.headers[i + 1]}`);
  lines.push(
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${bodyLength(outgoing.body)}`,
    'Connection: close',
    '',
    '',
  );
  socket.end(Buffer.concat([Buffer.from(lines.join('\r\n')), ...outgoing.body]));
  return outgoing;
}

function unparsedError(code: string | undefined): IssuerError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge(transportLimits.headers);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return overloaded('The request did not arrive in time.');
  return new IssuerError({
    code: 'invalid_parameter',
    message: 'The request is not valid HTTP/1.1.',
    hint: 'Check request line and header syntax.',
    details: { parameter: 'request', reason: 'bad_http' },
  });
}
