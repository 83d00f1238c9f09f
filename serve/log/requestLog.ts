import { routes } from '../../data/contract/routes/routes.ts';
import type { ExchangeEvent } from '../listen.ts';
import { isoInstants } from './isoInstants.ts';
import { cleanLine, type LogSink } from './log.ts';

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
  const instants = isoInstants();
  return ({ outgoing, method, delivery, latencyMs }) => {
    const { record, status } = outgoing;
    const payer = record.apiKeyId === null ? '' : `,"payer":"apikey:${record.apiKeyId}"`;
    const shownMethod = method === 'GET' || /^[A-Z]{1,16}$/.test(method) ? method : 'other';
    sink.write(
      cleanLine(
        `{"level":30,"time":"${instants.milliseconds(nowMs())}","request_id":"${record.requestId}","method":"${shownMethod}","route":${quoted(pathOf(record.route))},"route_id":${quoted(record.route)},"status":${status},"code":${quoted(record.code)},"receipt_id":${quoted(record.receiptId)}${payer},"delivery":"${delivery}","latency_ms":${latencyMs},"msg":"request"}\n`,
      ),
    );
  };
}

const paths = new Map(routes.map(({ id, path }) => [id, path]));

function pathOf(routeId: string | null): string | null {
  return routeId === null ? null : (paths.get(routeId) ?? null);
}

function quoted(value: string | null): string {
  return value === null ? 'null' : `"${value}"`;
}
