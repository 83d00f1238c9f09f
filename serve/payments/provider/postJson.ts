import { Agent, buildConnector, type Dispatcher } from 'undici';

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
export function jsonClient(o: {
  baseUrl: string;
  bearer?: string | null;
  nowMs(): number;
  agent?: Dispatcher;
}): JsonClient {
  const base = new URL(o.baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const connectFailures = new WeakSet<Error>();
  const agent = o.agent ?? boundedAgent(connectFailures);
  let skewMs: number | null = null;
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(o.bearer === undefined || o.bearer === null ? {} : { authorization: `Bearer ${o.bearer}` }),
  };

  async function read(answer: Dispatcher.ResponseData): Promise<CallResult> {
    const { statusCode: status } = answer;
    noteDate(answer.headers['date']);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      length += chunk.length;
      // leaving the loop destroys the body and its socket
      if (length > maxAnswerBytes) return { kind: 'broken', reason: 'answer_too_large' };
      chunks.push(chunk);
    }
    const coding = answer.headers['content-encoding'];
    const coded = coding !== undefined && coding !== 'identity';
    return { kind: 'answer', status, json: coded ? undefined : parse(Buffer.concat(chunks)) };
  }

  function noteDate(value: string | string[] | undefined): void {
    const sent = Date.parse(String(value));
    if (!Number.isNaN(sent)) skewMs = sent - o.nowMs();
  }

  return {
    async call({ method, path, body, timeoutMs }) {
      try {
        const answer = await agent.request({
          origin: base.origin,
          path: path === '' ? `${base.pathname}${base.search}` : `${prefix}${path}`,
          method,
          headers: body === null ? headers : { ...headers, 'content-type': 'application/json' },
          body,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
          signal: AbortSignal.timeout(timeoutMs),
        });
        return await read(answer);
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

function parse(bytes: Buffer): unknown {
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
