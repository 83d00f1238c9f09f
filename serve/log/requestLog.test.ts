import { describe, expect, it } from 'vitest';
import type { Outgoing } from '../exchange.ts';
import { gatheredSink, requestLog } from './log.ts';

const outgoing = (record: Partial<Outgoing['record']>, status = 200): Outgoing => ({
  status,
  headers: [],
  body: [],
  record: { requestId: 'req_01', route: 'R11', code: null, receiptId: null, apiKeyId: null, ...record },
  done: () => {},
});

describe('the line of a request', () => {
  const line = (event: Partial<Outgoing['record']> & { method?: string; status?: number }): string => {
    const lines: string[] = [];
    const log = requestLog({
      sink: { write: (text) => void lines.push(text) },
      nowMs: () => 1_770_458_400_007,
    });
    const { method = 'GET', status = 200, ...record } = event;
    log({ outgoing: outgoing(record, status), method, delivery: 'delivered', latencyMs: 3 });
    expect(lines.length).toBe(1);
    return lines[0] ?? '';
  };

  it('says request, route, status, code, latency and receipt (I9.32)', () => {
    expect(JSON.parse(line({ receiptId: 'rcpt_01', apiKeyId: 'ABCDEFGHIJ' }))).toEqual({
      level: 30,
      time: '2026-02-07T10:00:00.007Z',
      request_id: 'req_01',
      method: 'GET',
      route: '/v1/covenant-stress/{ticker}',
      route_id: 'R11',
      status: 200,
      code: null,
      receipt_id: 'rcpt_01',
      payer: 'apikey:ABCDEFGHIJ',
      delivery: 'delivered',
      latency_ms: 3,
      msg: 'request',
    });
    expect(JSON.parse(line({ route: null, code: 'route_not_found', status: 404 }))).toMatchObject({
      route: null,
      code: 'route_not_found',
      receipt_id: null,
    });
  });

  it('shows no secret a client put into its request id, and no method it made up (P6.7, S17)', () => {
    const text = line({ requestId: 'ii1.aaaa.bbbb', method: 'get\u001b[31m' });
    expect(JSON.parse(text)).toMatchObject({ request_id: 'ii1.redacted', method: 'other' });
  });
});

describe('a gathered sink', () => {
  it('writes the lines of one turn at once, in order, and nothing twice', async () => {
    const writes: string[] = [];
    const sink = gatheredSink({ write: (text) => void writes.push(text) });
    sink.write('a\n');
    sink.write('b\n');
    expect(writes).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    sink.write('c\n');
    sink.flush();
    await new Promise((resolve) => setImmediate(resolve));
    expect(writes).toEqual(['a\nb\n', 'c\n']);
  });
});
