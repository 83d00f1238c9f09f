import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { IssuerError } from '../data/contract/errors/issuerError.ts';
import type { Incoming, Outgoing } from './exchange.ts';
import { handle, problemAnswer, type ServeDeps } from './handle.ts';
import { clientOrigin } from './http/clientAddress.ts';
import { type ConnectionBound, type InFlight, pipelines } from './http/inFlight.ts';
import { pathOf } from './http/parseTarget.ts';
import {
  bodyLength,
  bodyLimit,
  framingFault,
  overloaded,
  payloadTooLarge,
  readBody,
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

type ListenInput = {
  readonly host: string;
  readonly port: number;
  readonly loopback: boolean;
  readonly trustedProxies: readonly string[];
  readonly deps: ServeDeps;
  readonly times?: TransportTimes;
  readonly connections?: ConnectionBound;
  /** Bounds the requests in flight; without it nothing does. */
  readonly inFlight?: InFlight;
  onExchange(event: ExchangeEvent): void;
};

/** What a server is while it listens. */
type Listening = ListenInput & {
  readonly times: TransportTimes;
  readonly originOf: ReturnType<typeof clientOrigin>;
  readonly pipeline: ReturnType<typeof pipelines>;
  readonly exchanges: Set<Exchange>;
  draining: boolean;
  /** Told when an exchange ends and none is left. */
  drained: () => void;
};

/** Serves `handle` over node:http with tight limits; resolves when the socket listens. */
export async function listen(input: ListenInput): Promise<Listener> {
  const times = input.times ?? defaultTimes;
  const listening: Listening = {
    ...input,
    times,
    originOf: clientOrigin(input.trustedProxies),
    pipeline: pipelines(),
    exchanges: new Set(),
    draining: false,
    drained: () => {},
  };
  const receive = (request: IncomingMessage, response: ServerResponse): void =>
    listening.pipeline.enter(request.socket, () => void serveOne(listening, request, response));
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
  if (input.connections !== undefined) {
    server.maxConnections = input.connections.most;
    server.on('drop', input.connections.dropped);
  }
  const refuse = (code: string | undefined, socket: Socket): void => {
    const outgoing = answerUnparsed(listening, code, socket);
    if (outgoing !== null) input.onExchange({ outgoing, method: '', delivery: 'delivered', latencyMs: 0 });
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error.code, socket));
  // without a listener the connection closes without a word
  server.on('connect', (_request, socket: Socket) => refuse('CONNECT', socket));
  // without a listener the parser answers 417 by itself
  server.on('checkExpectation', receive);
  // one timer for all requests: a timer a request costs more than the request's routing
  const sweep = setInterval(() => expireLate(listening), Math.min(500, times.requestMs));
  sweep.unref();
  const port = await bind(server, { variable: 'II_LISTEN', host: input.host, port: input.port });
  return {
    host: input.host,
    port,
    async drain() {
      listening.draining = true;
      if (listening.exchanges.size > 0) await untilDrained(listening);
      for (const running of listening.exchanges) running.broken = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      clearInterval(sweep);
      await closed;
    },
  };
}

/** One request from its header to the end of its answer. */
async function serveOne(
  listening: Listening,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange: Exchange = {
    request,
    response,
    startedMs: listening.deps.nowMs(),
    deadlineMs: performance.now() + listening.times.requestMs,
    sent: null,
    hasSocket: response.socket !== null,
    concluded: false,
    broken: false,
    leave: () => {},
  };
  listening.exchanges.add(exchange);
  // until the answers before it have left, nothing of an answer reaches the socket
  if (!exchange.hasSocket) response.once('socket', () => (exchange.hasSocket = true));
  response.on('close', () => end(listening, exchange));
  try {
    send(listening, exchange, await answerOf(listening, exchange));
  } catch (error) {
    listening.deps.reportDefect({ requestId: '', error });
    exchange.broken = true;
    response.destroy();
  }
}

/** The stages before an answer is asked for: framing, requests in flight, body. */
async function answerOf(listening: Listening, exchange: Exchange): Promise<Answered> {
  const { request } = exchange;
  const { deps, inFlight } = listening;
  const head = incomingHead(listening, request);
  const fault = framingFault({ headers: head.headers, httpVersion: request.httpVersion });
  if (fault !== null) return refusal(listening, head, fault);
  // before its body is read: what is refused here has claimed nothing, a payment as little as all else (I8.9)
  if (inFlight !== undefined && !deps.probes.has(pathOf(head.target))) {
    const leave = inFlight.enter(head.clientAddress);
    if (leave === null) return refusal(listening, head, overloaded('Too many requests are in flight.'));
    exchange.leave = leave;
  }
  const { headers } = head;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  const limit = hasBody ? bodyLimit(head.target) : 0;
  const isLonger = Number(headers['content-length']?.[0] ?? 0) > limit;
  const body = isLonger ? 'too_large' : hasBody ? await readBody(request, limit) : nothing;
  if (body === 'too_large') return refusal(listening, head, payloadTooLarge(limit));
  if (body === 'cut') return refusal(listening, head, overloaded('The request did not arrive in time.'));
  if (listening.draining) return refusal(listening, head, overloaded('The server is shutting down.'));
  return { outgoing: await handle({ ...head, body }, deps), closing: false };
}

/** Sends an answer, unless the time limit answered already or the client left: it is only recorded then. */
function send(listening: Listening, exchange: Exchange, { outgoing, closing }: Answered): void {
  if (exchange.sent !== null) {
    outgoing.done('undelivered');
    return;
  }
  const { request, response } = exchange;
  if (response.destroyed) {
    conclude(listening, exchange, outgoing);
    return;
  }
  exchange.sent = outgoing;
  exchange.deadlineMs = performance.now() + listening.times.requestMs;
  if (request.socket.destroyed) return;
  const { status, body } = outgoing;
  const headers = outgoing.headers.slice();
  if (status !== 304 && status !== 204 && request.method !== 'HEAD') {
    headers.push('Content-Length', String(bodyLength(body)));
  }
  if (closing || listening.draining) headers.push('Connection', 'close');
  response.writeHead(status, headers);
  // the socket is corked until the next tick, so all chunks leave in one write
  const last = body.at(-1);
  for (let i = 0; i < body.length - 1; i += 1) response.write(body[i]);
  response.end(last);
}

function end(listening: Listening, exchange: Exchange): void {
  listening.exchanges.delete(exchange);
  exchange.leave();
  if (exchange.sent !== null) conclude(listening, exchange, exchange.sent);
  listening.pipeline.leave(exchange.request.socket);
  if (listening.draining && listening.exchanges.size === 0) listening.drained();
}

function conclude({ deps, onExchange }: Listening, exchange: Exchange, outgoing: Outgoing): void {
  if (exchange.concluded) return;
  exchange.concluded = true;
  exchange.sent = outgoing;
  const { response, hasSocket } = exchange;
  const isCut = hasSocket && response.headersSent && outgoing.body.length > 0;
  const delivery = response.writableFinished ? 'delivered' : isCut ? 'partial' : 'undelivered';
  outgoing.done(delivery, exchange.broken && delivery !== 'delivered');
  const method = exchange.request.method ?? '';
  onExchange({ outgoing, method, delivery, latencyMs: deps.nowMs() - exchange.startedMs });
}

function expireLate(listening: Listening): void {
  const now = performance.now();
  for (const late of listening.exchanges) {
    if (late.deadlineMs > now) continue;
    // a client that does not take its answer keeps neither memory nor the hold of a grant beyond its time (P7.11)
    if (late.sent !== null) late.response.destroy();
    else {
      const head = incomingHead(listening, late.request);
      send(listening, late, refusal(listening, head, overloaded('The answer took too long.')));
    }
  }
}

/** Resolves when no exchange is left, or the time for it is over. */
async function untilDrained(listening: Listening): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  listening.drained = resolve;
  const timer = setTimeout(resolve, listening.times.drainMs);
  await promise;
  clearTimeout(timer);
}

/** The answer to a request that the transport gives up on: the connection closes behind it. */
function refusal({ deps }: Listening, request: Incoming, error: IssuerError): Answered {
  const call = {
    request,
    requestId: `req_${deps.ulid()}`,
    head: request.method === 'HEAD',
    rate: deps.limiter.peek('ip', request.clientAddress),
    route: null,
  };
  return { outgoing: problemAnswer(call, deps, error), closing: true };
}

function incomingHead({ originOf, loopback }: Listening, request: IncomingMessage): Incoming {
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
    secureTransport: loopback || origin.tls,
    // a client that has ended its side is sent nothing any more
    clientGone: () => request.socket.destroyed || request.socket.writableEnded,
  };
}

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
/** An answer, and whether the connection closes behind it. */
type Answered = { readonly outgoing: Outgoing; readonly closing: boolean };

const nothing = new Uint8Array(0);

/** Answers what the parser refused: oversized headers, broken syntax, a tunnel, headers or bodies that came too slowly. */
function answerUnparsed(listening: Listening, code: string | undefined, socket: Socket): Outgoing | null {
  if (!socket.writable || code === 'ECONNRESET') {
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
  const { outgoing } = refusal(listening, request, unparsedError(code));
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

/** Binds the address that a variable names; answers the port. @throws IssuerError `configuration` */
export async function bind(
  server: Server,
  { variable, host, port }: { variable: string; host: string; port: number },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      reject(
        new IssuerError({
          code: 'configuration',
          message: `${variable} ${host}:${port} cannot be bound: ${cause.code ?? 'error'}.`,
          hint: 'Choose a free port of this machine.',
          details: { variable },
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
