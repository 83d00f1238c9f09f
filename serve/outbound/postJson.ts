import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { LedgerLog } from '../ledger/port/ledger.ts';

/**
 * What became of one call. `unreachable`: no byte was written, so nothing can have happened (P2.39). `broken`:
 * bytes left and no complete answer came back.
 */
export type CallResult =
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'answer'; readonly status: number; readonly json: unknown };

export type JsonCall = {
  readonly method: 'GET' | 'POST';
  /** Path under the configured URL; empty for the URL itself. */
  readonly path: string;
  readonly body: string | null;
  readonly timeoutMs: number;
};

/** A third party reached over HTTP: one configured origin and nothing else (S28). */
export type JsonClient = {
  call(call: JsonCall): Promise<CallResult>;
  /** `Date` of the latest answer minus our clock, in milliseconds; null before one (X52). */
  clockSkewMs(): number | null;
  close(): Promise<void>;
};

const connectMs = 2000;
const maxAnswerBytes = 64 * 1024;
const connections = 32;

/**
 * Calls one origin with keep-alive and a bounded pool: no redirects, identity coding, answers up to 64 KiB (P2.35).
 * The base URL was validated with the configuration.
 */
export function jsonClient({
  baseUrl,
  bearer,
  nowMs,
}: {
  baseUrl: string;
  bearer?: string | null;
  nowMs(): number;
}): JsonClient {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const connectFailures = new WeakSet<Error>();
  const agent = boundedAgent(connectFailures);
  let skewMs: number | null = null;
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(bearer === undefined || bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
  };
  const headersOfBody = { ...headers, 'content-type': 'application/json' };

  function noteDate(value: string | string[] | undefined): void {
    const sent = Date.parse(String(value));
    if (!Number.isNaN(sent)) skewMs = sent - nowMs();
  }

  return {
    async call({ method, path, body, timeoutMs }) {
      const answered = wholeAnswer({ timeoutMs, onHeaders: (answer) => noteDate(answer['date']) });
      try {
        agent.dispatch(
          {
            origin: base.origin,
            path: path === '' ? `${base.pathname}${base.search}` : `${prefix}${path}`,
            method,
            headers: body === null ? headers : headersOfBody,
            body,
            // the whole call has one time limit, its wait for a free connection included
            headersTimeout: 0,
            bodyTimeout: 0,
          },
          answered.handler,
        );
        return await answered.result;
      } catch (error) {
        const reason = reasonOf(error);
        const unreachable = error instanceof Error && connectFailures.has(error);
        return { kind: unreachable ? 'unreachable' : 'broken', reason };
      }
    },
    clockSkewMs: () => skewMs,
    close: () => agent.destroy(),
  };
}

/**
 * Gathers one answer from the pool's own events: a stream and an abort signal for each would cost as much as the call.
 * The result fails with what ended the connection, or with `TimeoutError`.
 */
function wholeAnswer({
  timeoutMs,
  onHeaders,
}: {
  timeoutMs: number;
  onHeaders(headers: Dispatcher.ResponseData['headers']): void;
}): {
  readonly handler: Dispatcher.DispatchHandler;
  readonly result: Promise<CallResult>;
} {
  const { promise, resolve, reject } = Promise.withResolvers<CallResult>();
  let controller: Dispatcher.DispatchController | null = null;
  let late: Error | null = null;
  let status = 0;
  let coded = false;
  let length = 0;
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => {
    late = new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError');
    reject(late);
    controller?.abort(late);
  }, timeoutMs);
  return {
    result: promise,
    handler: {
      onRequestStart: (started) => {
        controller = started;
        // its time was over before a connection was free: nothing is sent any more
        if (late !== null) started.abort(late);
      },
      onResponseStart: (_, statusCode, headers) => {
        status = statusCode;
        const coding = headers['content-encoding'];
        coded = coding !== undefined && coding !== 'identity';
        onHeaders(headers);
      },
      onResponseData: (current, chunk) => {
        length += chunk.length;
        if (length <= maxAnswerBytes) {
          chunks.push(chunk);
          return;
        }
        resolve({ kind: 'broken', reason: 'answer_too_large' });
        current.abort(new RangeError('the answer is too large'));
      },
      onResponseEnd: () => {
        clearTimeout(timer);
        resolve({ kind: 'answer', status, json: coded ? undefined : jsonOf(Buffer.concat(chunks)) });
      },
      onResponseError: (_, error) => {
        clearTimeout(timer);
        reject(error);
      },
    },
  };
}

// the connector alone knows whether a failure came before the first byte of a request
function boundedAgent(connectFailures: WeakSet<Error>): Agent {
  const connect = buildConnector({ timeout: connectMs });
  return new Agent({
    connections,
    pipelining: 1,
    connect: (options, callback) =>
      connect(options, (...result) => {
        const [error] = result;
        if (error !== null) connectFailures.add(error);
        callback(...result);
      }),
  });
}

/** What a third party sent; undefined where it is no JSON. */
export function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** From here on payments near their end are refused or lost to the difference (X52, X53). */
const alertSeconds = 5;

/**
 * How this server's clock differs from those of providers and nodes, by the `Date` of their newest answers; logged
 * once when it begins to matter (X52). Null without an answer or while the clocks agree.
 */
export function clockSkew({
  clients,
  log,
}: {
  clients: readonly Pick<JsonClient, 'clockSkewMs'>[];
  log: LedgerLog;
}): () => string | null {
  let told = false;
  return () => {
    const known = clients.flatMap((client) => client.clockSkewMs() ?? []);
    const largest = known.reduce((most, ms) => (Math.abs(ms) > Math.abs(most) ? ms : most), 0);
    const seconds = Math.trunc(largest / 1000);
    if (Math.abs(seconds) <= alertSeconds) {
      told = false;
      return null;
    }
    if (!told) log({ level: 'error', event: 'clock_skew', fields: { seconds } });
    told = true;
    return `clock_skew: this clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'behind' : 'ahead of'} a provider's`;
  };
}
