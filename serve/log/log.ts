import { type DestinationStream, type Logger, pino } from 'pino';
import { routes } from '../../data/contract/routes/routes.ts';
import type { ExchangeEvent } from '../listen.ts';

/** Where finished log lines go. */
export type LogSink = { write(line: string): void };

/**
 * JSON lines without secrets: anything that looks like a credential is replaced in every line, and control characters
 * reach the sink escaped only (I9.32, P6.7, S16, S17).
 */
export function createLog({ sink, level }: { sink: LogSink; level: 'info' | 'warn' | 'silent' }): Logger {
  const stream: DestinationStream = { write: (line) => sink.write(cleanLine(line)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

const suspicious = /iik_|ii1\.|[\u007f-\u009f\u2028\u2029]/;

/** A finished line without credentials and without control characters that pino leaves raw (P6.7, S17). */
function cleanLine(line: string): string {
  // pino escapes U+0000–U+001F; terminals also obey C1 controls, DEL and the two line separators.
  // nearly every line is clean, and one test costs less than three replacements
  if (!suspicious.test(line)) return line;
  return redactLine(line).replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

// a secret ends where its JSON string ends, so that the line stays JSON
function redactLine(line: string): string {
  return line
    .replaceAll(/iik_([A-Z2-7]{10})_[^\s"\\]+/g, 'apikey:$1')
    .replaceAll(/ii1\.[^\s"\\]+/g, 'ii1.redacted');
}

/** A sink that keeps lines until the turn of the event loop ends. */
type GatheredSink = LogSink & {
  /** Writes what waits; to be called before the process ends. */
  flush(): void;
};

/** Gathers the lines of one turn into one write: a system call a line costs more than the line. */
export function gatheredSink(sink: LogSink): GatheredSink {
  let waiting = '';
  const flush = (): void => {
    const lines = waiting;
    waiting = '';
    if (lines !== '') sink.write(lines);
  };
  return {
    write(line) {
      if (waiting === '') setImmediate(flush);
      waiting += line;
    },
    flush,
  };
}

/**
 * Writes one JSON line a finished exchange, in the shape of the other lines of the log (I9.32). The route is shown as
 * its path template, never as the path that was asked. Every value is a template, an id, a code, a number or a request
 * id of the alphabet of I4.27, so nothing needs escaping; what looks like a secret is replaced as everywhere (P6.7).
 */
export function requestLog({
  sink,
  nowMs,
}: {
  sink: LogSink;
  nowMs(): number;
}): (event: ExchangeEvent) => void {
  return ({ outgoing, method, delivery, latencyMs }) => {
    const { record, status } = outgoing;
    const payer = record.apiKeyId === null ? '' : `,"payer":"apikey:${record.apiKeyId}"`;
    const shownMethod = method === 'GET' || /^[A-Z]{1,16}$/.test(method) ? method : 'other';
    sink.write(
      cleanLine(
        `{"level":30,"time":"${new Date(nowMs()).toISOString()}","request_id":"${record.requestId}","method":"${shownMethod}",${routeMembers.get(record.route) ?? noRoute},"status":${status},"code":${JSON.stringify(record.code)},"receipt_id":${JSON.stringify(record.receiptId)}${payer},"delivery":"${delivery}","latency_ms":${latencyMs},"msg":"request"}\n`,
      ),
    );
  };
}

const routeMembers = new Map<string | null, string>(
  routes.map(({ id, path }) => [id, `"route":"${path}","route_id":"${id}"`]),
);
const noRoute = '"route":null,"route_id":null';

/** What a log says of an error that may carry a secret in its message: its class. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'error';
}
