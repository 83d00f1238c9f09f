import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { IssuerError } from '../contract/issuerError.ts';
import { bodyLength, type Incoming, type Outgoing } from './exchange.ts';
import { handle, problemAnswer, type ServeDeps } from './handle.ts';
import { clientOrigin } from './http/clientAddress.ts';
import { bodyLimit, headersTooLarge, payloadTooLarge, transportLimits } from './http/transportLimits.ts';

/** Time limits of the transport in milliseconds (P1.10, I9.34). */
export type TransportTimes = {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly drainMs: number;
  readonly keepAliveMs: number;
};

export const defaultTimes: TransportTimes = {
  headersMs: 10_000,
  requestMs: 20_000,
  drainMs: 20_000,
  keepAliveMs: 75_000,
};

/** One finished exchange, as the log shows it (I9.32). */
export type ExchangeEvent = {
  readonly outgoing: Outgoing;
  readonly method: string;
  readonly delivery: 'delivered' | 'partial' | 'undelivered';
  readonly latencyMs: number;
};

export type Listener = {
  readonly host: string;
  readonly port: number;
  /** Refuses new requests, gives running ones `drainMs`, then closes every connection (I9.34). */
  drain(): Promise<void>;
};

/** Serves `handle` over node:http with tight limits; resolves when the socket listens. */
export async function listen(o: {
  host: string;
  port: number;
  loopback: boolean;
  trustedProxies: readonly string[];
  deps: ServeDeps;
  times?: TransportTimes;
  onExchange(event: ExchangeEvent): void;
}): Promise<Listener> {
  const times = o.times ?? defaultTimes;
  const originOf = clientOrigin(o.trustedProxies);
  let draining = false;
  let running = 0;
  let drained = (): void => {};

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedMs = o.deps.nowMs();
    // listened for from the start: a client may leave before there is an answer
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    const incoming = await incomingOf(request);
    const outgoing = await answerTo(incoming, response);
    send({ outgoing, request, response, closing: draining || incoming.kind !== 'complete' });
    await closed;
    const delivery = deliveryOf(response, outgoing);
    outgoing.done(delivery);
    const latencyMs = o.deps.nowMs() - startedMs;
    o.onExchange({ outgoing, method: request.method ?? '', delivery, latencyMs });
  }

  function answerTo(incoming: Received, response: ServerResponse): Promise<Outgoing> | Outgoing {
    if (incoming.kind === 'complete' && !draining) {
      return Promise.race([handle(incoming.request, o.deps), tooLate(incoming.request, response)]);
    }
    const error =
      incoming.kind === 'too_large'
        ? payloadTooLarge(bodyLimit(incoming.request.target))
        : overloaded(draining ? 'The server is shutting down.' : 'The request did not arrive in time.');
    return refusal(incoming.request, error);
  }

  // the whole request has a limit; what runs on is only recorded (I8.8)
  function tooLate(request: Incoming, response: ServerResponse): Promise<Outgoing> {
    return new Promise((resolve) => {
      const late = (): void => resolve(refusal(request, overloaded('The answer took too long.')));
      const timer = setTimeout(late, times.requestMs);
      response.once('close', () => clearTimeout(timer));
    });
  }

  function refusal(request: Incoming, error: IssuerError): Outgoing {
    const call = {
      request,
      requestId: `req_${o.deps.ulid()}`,
      head: request.method === 'HEAD',
      rate: o.deps.limiter.peek('ip', request.clientAddress),
      route: null,
    };
    return problemAnswer(call, o.deps, error);
  }

  function incomingOf(request: IncomingMessage): Promise<Received> {
    const headers = request.headersDistinct;
    const origin = originOf({
      remoteAddress: request.socket.remoteAddress ?? '',
      forwardedFor: headers['x-forwarded-for']?.join(','),
      forwarded: headers['forwarded']?.join(','),
      forwardedProto: headers['x-forwarded-proto']?.join(','),
    });
    const base = {
      method: request.method ?? 'GET',
      target: request.url ?? '/',
      headers,
      clientAddress: origin.address,
      secureTransport: o.loopback || origin.tls,
      clientGone: () => request.socket.destroyed,
    };
    return readBody(request, base);
  }

  const server = createServer(
    {
      maxHeaderSize: transportLimits.headers,
      requireHostHeader: true,
      headersTimeout: times.headersMs,
      requestTimeout: times.requestMs,
      connectionsCheckingInterval: Math.min(1000, times.headersMs),
      keepAliveTimeout: times.keepAliveMs,
    },
    (request, response) => {
      running += 1;
      response.once('close', () => {
        running -= 1;
        if (running === 0) drained();
      });
      exchange(request, response).catch((error: unknown) => {
        o.deps.reportDefect({ requestId: '', error });
        response.destroy();
      });
    },
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    answerUnparsed({ error, socket, refusal });
  });
  const port = await bind(server, o.host, o.port);
  return {
    host: o.host,
    port,
    async drain() {
      draining = true;
      if (running > 0) {
        let timer: NodeJS.Timeout | undefined;
        const limit = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, times.drainMs);
        });
        await Promise.race([new Promise<void>((resolve) => (drained = resolve)), limit]);
        clearTimeout(timer);
      }
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Received = { readonly kind: 'complete' | 'too_large' | 'cut'; readonly request: Incoming };
type IncomingHead = Omit<Incoming, 'body'>;

const nothing = new Uint8Array(0);

// only the bytes the limit allows are ever held
async function readBody(request: IncomingMessage, head: IncomingHead): Promise<Received> {
  const empty = { ...head, body: nothing };
  const declared = request.headers['content-length'];
  if (declared === undefined && request.headers['transfer-encoding'] === undefined) {
    return { kind: 'complete', request: empty };
  }
  const limit = bodyLimit(head.target);
  if (Number(declared ?? 0) > limit) return { kind: 'too_large', request: empty };
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // leaving the loop must not destroy the request: the answer still goes over its socket
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > limit) return { kind: 'too_large', request: empty };
      chunks.push(chunk);
    }
  } catch {
    return { kind: 'cut', request: empty };
  }
  return { kind: 'complete', request: { ...head, body: Buffer.concat(chunks) } };
}

function send(o: {
  outgoing: Outgoing;
  request: IncomingMessage;
  response: ServerResponse;
  closing: boolean;
}): void {
  const { outgoing, response } = o;
  if (response.destroyed || o.request.socket.destroyed) return;
  const headers = [...outgoing.headers];
  if (outgoing.status !== 304 && outgoing.status !== 204 && o.request.method !== 'HEAD') {
    headers.push('Content-Length', String(bodyLength(outgoing.body)));
  }
  if (o.closing) headers.push('Connection', 'close');
  response.writeHead(outgoing.status, headers);
  const { body } = outgoing;
  // one buffer is one write: joining a few KiB costs less than a second write
  response.end(body.length > 1 ? Buffer.concat(body) : body[0]);
}

function deliveryOf(response: ServerResponse, outgoing: Outgoing): 'delivered' | 'partial' | 'undelivered' {
  if (response.writableFinished) return 'delivered';
  return response.headersSent && outgoing.body.length > 0 ? 'partial' : 'undelivered';
}

/** Answers what the parser refused: oversized headers, broken syntax, headers or bodies that came too slowly. */
function answerUnparsed(o: {
  error: NodeJS.ErrnoException;
  socket: Socket;
  refusal(request: Incoming, error: IssuerError): Outgoing;
}): void {
  if (!o.socket.writable || o.error.code === 'ECONNRESET') {
    o.socket.destroy();
    return;
  }
  const request: Incoming = {
    method: 'GET',
    target: '/',
    headers: {},
    body: nothing,
    clientAddress: o.socket.remoteAddress ?? '',
    secureTransport: false,
    clientGone: () => o.socket.destroyed,
  };
  const outgoing = o.refusal(request, unparsedError(o.error.code));
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
  o.socket.end(Buffer.concat([Buffer.from(lines.join('\r\n')), ...outgoing.body]));
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

function overloaded(message: string): IssuerError {
  return new IssuerError({ code: 'overloaded', message, hint: 'Try again.' });
}

async function bind(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      reject(
        new IssuerError({
          code: 'configuration',
          message: `II_LISTEN ${host}:${port} cannot be bound: ${cause.code ?? 'error'}.`,
          hint: 'Choose a free port of this machine.',
          details: { variable: 'II_LISTEN' },
          cause,
        }),
      );
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
