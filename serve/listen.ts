import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { IssuerError } from '../data/contract/errors/issuerError.ts';
import { bodyLength, type Incoming, type Outgoing } from './exchange.ts';
import { handle, problemAnswer, type ServeDeps } from './handle.ts';
import { clientOrigin } from './http/clientAddress.ts';
import { type ConnectionBound, type InFlight, pipelines } from './http/inFlight.ts';
import { pathOf } from './http/parseTarget.ts';
import { framingFault, readBody } from './http/readRequest.ts';
import {
  bodyLimit,
  overloaded,
  payloadTooLarge,
  transportLimits,
  unparsedError,
} from './http/transportLimits.ts';

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
export async function listen(deps: {
  host: string;
  port: number;
  loopback: boolean;
  trustedProxies: readonly string[];
  deps: ServeDeps;
  times?: TransportTimes;
  connections?: ConnectionBound;
  /** Bounds the requests in flight; without it nothing does. */
  inFlight?: InFlight;
  onExchange(event: ExchangeEvent): void;
}): Promise<Listener> {
  const times = deps.times ?? defaultTimes;
  const originOf = clientOrigin(deps.trustedProxies);
  let draining = false;
  const exchanges = new Set<Exchange>();
  let drained = (): void => {};

  const pipeline = pipelines();

  function receive(request: IncomingMessage, response: ServerResponse): void {
    pipeline.enter(request.socket, () => begin(request, response));
  }

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const exchange: Exchange = {
      request,
      response,
      startedMs: deps.deps.nowMs(),
      deadlineMs: performance.now() + times.requestMs,
      sent: null,
      hasSocket: response.socket !== null,
      concluded: false,
      broken: false,
      leave: () => {},
    };
    exchanges.add(exchange);
    // until the answers before it have left, nothing of an answer reaches the socket
    if (!exchange.hasSocket) response.once('socket', () => (exchange.hasSocket = true));
    response.on('close', () => end(exchange));
    answerWith(exchange, () => {
      const head = incomingHead(request);
      const fault = framingFault({ headers: head.headers, httpVersion: request.httpVersion });
      if (fault !== null) return { refused: refusal(head, fault) };
      if (!admit(exchange, head))
        return { refused: refusal(head, overloaded('Too many requests are in flight.')) };
      if (!hasBody(head)) return answerReceived({ kind: 'complete', request: head });
      receiveBody(request, head, (received) => answerWith(exchange, () => answerReceived(received)));
      return null;
    });
  }

  // before its body is read: what is refused here has claimed nothing, a payment as little as all else (I8.9)
  function admit(exchange: Exchange, head: Incoming): boolean {
    if (deps.inFlight === undefined || deps.deps.probes.has(pathOf(head.target))) return true;
    const leave = deps.inFlight.enter(head.clientAddress);
    if (leave !== null) exchange.leave = leave;
    return leave !== null;
  }

  /** Sends what is made, at once or later; null: it is made in a later turn. */
  function answerWith(exchange: Exchange, make: () => Answered | Promise<Answered> | null): void {
    try {
      const made = make();
      if (made instanceof Promise) {
        made.then((late) => answer(exchange, late)).catch((error) => crash(exchange, error));
      } else if (made !== null) answer(exchange, made);
    } catch (error) {
      crash(exchange, error);
    }
  }

  function answerReceived(received: Received): Answered | Promise<Answered> {
    if (received.kind === 'complete' && !draining) return handle(received.request, deps.deps);
    const error =
      received.kind === 'too_large'
        ? payloadTooLarge(bodyLimit(received.request.target))
        : overloaded(draining ? 'The server is shutting down.' : 'The request did not arrive in time.');
    return { refused: refusal(received.request, error) };
  }

  function answer(exchange: Exchange, answered: Answered): void {
    const refused = 'refused' in answered;
    const outgoing = refused ? answered.refused : answered;
    // the time limit answered already, or the client left: what came too late is only recorded
    if (exchange.sent !== null) outgoing.done('undelivered');
    else if (exchange.response.destroyed) conclude(exchange, outgoing);
    else {
      exchange.sent = outgoing;
      exchange.deadlineMs = performance.now() + times.requestMs;
      send({ exchange, outgoing, closing: refused || draining });
    }
  }

  function conclude(exchange: Exchange, outgoing: Outgoing): void {
    if (exchange.concluded) return;
    exchange.concluded = true;
    exchange.sent = outgoing;
    const delivery = deliveryOf(exchange, outgoing);
    outgoing.done(delivery, exchange.broken && delivery !== 'delivered');
    const method = exchange.request.method ?? '';
    deps.onExchange({ outgoing, method, delivery, latencyMs: deps.deps.nowMs() - exchange.startedMs });
  }

  function end(exchange: Exchange): void {
    exchanges.delete(exchange);
    exchange.leave();
    if (exchange.sent !== null) conclude(exchange, exchange.sent);
    pipeline.leave(exchange.request.socket);
    if (exchanges.size === 0) drained();
  }

  function crash(exchange: Exchange, error: unknown): void {
    deps.deps.reportDefect({ requestId: '', error });
    exchange.broken = true;
    exchange.response.destroy();
  }

  function expire(exchange: Exchange): void {
    // a client that does not take its answer keeps neither memory nor the hold of a grant beyond its time (P7.11)
    if (exchange.sent !== null) {
      exchange.response.destroy();
      return;
    }
    const error = overloaded('The answer took too long.');
    answer(exchange, { refused: refusal(incomingHead(exchange.request), error) });
  }

  function refusal(request: Incoming, error: IssuerError): Outgoing {
    const call = {
      request,
      requestId: `req_${deps.deps.ulid()}`,
      head: request.method === 'HEAD',
      rate: deps.deps.limiter.peek('ip', request.clientAddress),
      route: null,
    };
    return problemAnswer(call, deps.deps, error);
  }

  function incomingHead(request: IncomingMessage): Incoming {
    const headers = request.headersDistinct;
    const remoteAddress = request.socket.remoteAddress ?? '';
    const origin = originOf({
      remoteAddress,
      forwardedFor: headers['x-forwarded-for']?.join(','),
      forwarded: headers['forwarded']?.join(','),
      forwardedProto: headers['x-forwarded-proto']?.join(','),
    });
    return {
      method: request.method ?? 'GET',
      target: request.url ?? '/',
      headers,
      body: nothing,
      clientAddress: origin.address,
      secureTransport: deps.loopback || origin.tls,
      // a client that has ended its side is sent nothing any more
      clientGone: () => request.socket.destroyed || request.socket.writableEnded,
    };
  }

  const server = createServer(
    {
      maxHeaderSize: transportLimits.headers,
      // judged with the rest of the framing, so that the answer has our form
      requireHostHeader: false,
      headersTimeout: times.headersMs,
      requestTimeout: times.requestMs,
      connectionsCheckingInterval: Math.min(1000, times.headersMs),
      keepAliveTimeout: times.keepAliveMs,
    },
    receive,
  );
  if (deps.connections !== undefined) {
    server.maxConnections = deps.connections.most;
    server.on('drop', deps.connections.dropped);
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const outgoing = answerUnparsed({ error, socket, refusal });
    if (outgoing !== null) deps.onExchange({ outgoing, method: '', delivery: 'delivered', latencyMs: 0 });
  });
  // without a listener the parser answers 417 by itself
  server.on('checkExpectation', receive);
  // one timer for all requests: a timer a request costs more than the request's routing
  const sweep = setInterval(
    () => {
      const now = performance.now();
      for (const exchange of exchanges) if (exchange.deadlineMs <= now) expire(exchange);
    },
    Math.min(500, times.requestMs),
  );
  sweep.unref();
  const port = await bind(server, deps.host, deps.port);
  return {
    host: deps.host,
    port,
    async drain() {
      draining = true;
      if (exchanges.size > 0) {
        let timer: NodeJS.Timeout | undefined;
        const limit = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, times.drainMs);
        });
        await Promise.race([new Promise<void>((resolve) => (drained = resolve)), limit]);
        clearTimeout(timer);
      }
      for (const exchange of exchanges) exchange.broken = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      clearInterval(sweep);
      await closed;
    },
  };
}

type Received = { readonly kind: 'complete' | 'too_large' | 'cut'; readonly request: Incoming };
/** One request on its way through the server. */
type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedMs: number;
  /** When the wait for the answer ends, and then that for the client to take it. */
  deadlineMs: number;
  /** What was handed to the socket. */
  sent: Outgoing | null;
  /** Its turn has come: what is written goes out, and does not wait behind another answer of its connection. */
  hasSocket: boolean;
  concluded: boolean;
  /** Ends it among the requests in flight. */
  leave: () => void;
  /** It is we who break it off: by a defect, or because the drain ran out of time. */
  broken: boolean;
};
/** An answer, or the refusal of a request the transport gives up on: the connection closes behind it. */
type Answered = Outgoing | { readonly refused: Outgoing };

const nothing = new Uint8Array(0);

function hasBody({ headers }: Incoming): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function receiveBody(request: IncomingMessage, head: Incoming, received: (received: Received) => void): void {
  const limit = bodyLimit(head.target);
  if (Number(head.headers['content-length']?.[0] ?? 0) > limit)
    received({ kind: 'too_large', request: head });
  else
    readBody(request, limit, (read) =>
      received({ kind: read.kind, request: read.kind === 'complete' ? { ...head, body: read.body } : head }),
    );
}

function send({
  exchange,
  outgoing,
  closing,
}: {
  exchange: Exchange;
  outgoing: Outgoing;
  closing: boolean;
}): void {
  const { request, response } = exchange;
  const { status, body } = outgoing;
  if (request.socket.destroyed) return;
  const headers = outgoing.headers.slice();
  if (status !== 304 && status !== 204 && request.method !== 'HEAD') {
    headers.push('Content-Length', String(bodyLength(body)));
  }
  if (closing) headers.push('Connection', 'close');
  response.writeHead(status, headers);
  // the socket is corked until the next tick, so all chunks leave in one write
  const last = body.at(-1);
  for (let i = 0; i < body.length - 1; i += 1) response.write(body[i]);
  response.end(last);
}

function deliveryOf(
  { response, hasSocket }: Exchange,
  outgoing: Outgoing,
): 'delivered' | 'partial' | 'undelivered' {
  if (response.writableFinished) return 'delivered';
  return hasSocket && response.headersSent && outgoing.body.length > 0 ? 'partial' : 'undelivered';
}

/** Answers what the parser refused: oversized headers, broken syntax, headers or bodies that came too slowly. */
function answerUnparsed({
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
    body: nothing,
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
