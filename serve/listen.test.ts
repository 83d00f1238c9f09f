import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problem } from '../data/contract/errors/problem.ts';
import { type AskedRequest, plainRequest, type Reply } from '../fixtures/rigs/plainRequest.ts';
import { type Rig, serveRig } from '../fixtures/rigs/serveRig.ts';
import type { ServeDeps } from './handle.ts';
import { pipelineDepth } from './http/inFlight.ts';
import { type ExchangeEvent, type Listener, listen, type TransportTimes } from './listen.ts';

let rig: Rig;
let listener: Listener;
let events: ExchangeEvent[];
const open: { destroy(): unknown }[] = [];

async function start({
  deps,
  times,
}: {
  deps?: Partial<ServeDeps>;
  times?: Partial<TransportTimes>;
} = {}): Promise<void> {
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    loopback: true,
    trustedProxies: [],
    deps: { ...rig.deps, ...deps },
    times: { headersMs: 10_000, requestMs: 20_000, drainMs: 20_000, keepAliveMs: 5_000, ...times },
    onExchange: (event) => events.push(event),
  });
}

beforeEach(async () => {
  events = [];
  rig = await serveRig();
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
});
afterEach(async () => {
  for (const closable of open.splice(0)) closable.destroy();
  await listener.drain();
  rig.close();
});

const fetchRaw = (path: string, asked: AskedRequest = {}): Promise<Reply> =>
  plainRequest(`http://127.0.0.1:${listener.port}${path}`, asked);

/** Sends bytes over a bare socket and resolves with everything that came until the server closed it. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(listener.port, '127.0.0.1', () => socket.write(bytes));
    open.push(socket);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

function untilEvents(count: number): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => (events.length >= count ? resolve() : void setImmediate(look));
    look();
  });
}

describe('the listener', () => {
  it('serves a spliced gzip body that a standard client decodes (A9.6)', async () => {
    await start();
    const key = await rig.key();
    const reply = await fetchRaw('/v1/covenant-stress/MSTR', {
      headers: { 'x-api-key': key, 'accept-encoding': 'gzip' },
    });
    expect(reply.headers['content-encoding']).toBe('gzip');
    expect(reply.headers['vary']).toContain('Accept-Encoding');
    expect(JSON.parse(zlib.gunzipSync(reply.body).toString()).ticker).toBe('MSTR');
    const fetched = await fetch(`http://127.0.0.1:${listener.port}/v1/covenant-stress/MSTR`, {
      headers: { 'x-api-key': key, 'accept-encoding': 'zstd' },
    });
    expect(fetched.headers.get('content-encoding')).toBe('zstd');
    expect(((await fetched.json()) as { ticker: string }).ticker).toBe('MSTR');
    await untilEvents(2);
    expect(events.map((event) => event.delivery)).toEqual(['delivered', 'delivered']);
    expect(rig.deliveries.map(([, delivery]) => delivery)).toEqual(['delivered', 'delivered']);
  });

  it('keeps the connection for the next request', async () => {
    await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    open.push(agent);
    const first = await fetchRaw('/health', { agent });
    const second = await fetchRaw('/v1/readiness', { agent });
    expect([first.status, second.status]).toEqual([200, 402]);
  });

  it('reads credentials line by line: two different keys are a conflict (P1.7, X61)', async () => {
    await start();
    const reply = await raw(
      'GET /v1/readiness HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Api-Key: one\r\nx-API-key: two\r\n\r\n',
    );
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain('conflicting_credentials');
  });

  it('accepts a payment header in any letter case (X60)', async () => {
    await start();
    const reply = await raw(
      'GET /v1/readiness HTTP/1.1\r\nHost: a\r\nConnection: close\r\nPayment-Signature: QUJD\r\n\r\n',
    );
    expect(reply).toContain('"code":"invalid_payment"');
  });

  it.each([
    ['no Host header', '', 'Host', 'missing'],
    ['two Host headers', 'Host: a\r\nHost: b\r\n', 'Host', 'repeated'],
    [
      'another coding',
      'Host: a\r\nTransfer-Encoding: gzip, chunked\r\n',
      'Transfer-Encoding',
      'not_supported',
    ],
  ])('answers %s with a problem, logs it and closes (I7.1)', async (_, lines, parameter, reason) => {
    await start();
    const reply = await raw(`POST /v1/grant/session HTTP/1.1\r\n${lines}\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain('application/problem+json');
    expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4))).toMatchObject({
      code: 'invalid_parameter',
      parameter,
      reason,
    });
    expect(events.map(({ outgoing }) => [outgoing.status, outgoing.record.code])).toEqual([
      [400, 'invalid_parameter'],
    ]);
  });

  it.each(['a-cake', '100-continue, a-cake', '100-continue\r\nExpect: a-cake'])(
    'answers the expectation %j with 417 and the members of every error, logs it and closes (I7.2, I7.5)',
    async (expectation) => {
      await start();
      const replies = await raw(
        `POST /v1/grant/session HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: ${expectation}\r\n\r\n`,
      );
      // one that asks to continue as well may be told so first
      const reply = replies.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
      expect(reply).toMatch(/^HTTP\/1\.1 417 /);
      expect(reply).toContain('application/problem+json');
      expect(reply).toMatch(/^connection: close\r$/im);
      const body = problem.parse(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4)));
      expect(body).toMatchObject({ code: 'expectation_failed', status: 417, parameter: 'Expect' });
      expect(events.map(({ outgoing }) => [outgoing.status, outgoing.record.code])).toEqual([
        [417, 'expectation_failed'],
      ]);
    },
  );

  it('takes a request of HTTP/1.0 without a host, and one that expects to be told to continue', async () => {
    await start();
    expect(await raw('GET /health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    const reply = await raw(
      'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n',
    );
    expect(reply).toMatch(/HTTP\/1\.1 200 /);
  });

  it('logs and counts what its parser refuses (I9.32)', async () => {
    await start();
    await raw('NONSENSE\r\n\r\n');
    await raw(`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(33_000)}\r\n\r\n`);
    expect(events.map(({ outgoing }) => [outgoing.status, outgoing.record.code])).toEqual([
      [400, 'invalid_parameter'],
      [431, 'header_fields_too_large'],
    ]);
  });

  it('answers headers over 32 KiB with 431 and closes (I8.5)', async () => {
    await start();
    const reply = await raw(`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(33_000)}\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 431 /);
    expect(reply).toContain('"code":"header_fields_too_large"');
    expect(reply).toContain('X-API-Version: 1.0.0');
  });

  it('takes 24 KiB of headers, more than the platform does by itself (P1.10)', async () => {
    await start();
    const reply = await fetchRaw('/health', { headers: { 'x-long': 'a'.repeat(24_000) } });
    expect(reply.status).toBe(200);
  });

  it('answers what is not HTTP with a problem, never with silence', async () => {
    await start();
    const reply = await raw('NONSENSE\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain('"reason":"bad_http"');
    const tunnel = await raw('CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n');
    expect(tunnel).toMatch(/^HTTP\/1\.1 405 .*\r\nAllow: GET, HEAD, POST, OPTIONS\r\n/s);
    expect(tunnel).toContain('"code":"method_not_allowed"');
  });

  it('answers headers that come too slowly with 503 and closes (P1.10)', async () => {
    await start({ times: { headersMs: 50, requestMs: 60 } });
    const reply = await raw('GET /health HTTP/1.1\r\nHost: a\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 503 /);
    expect(reply).toContain('"code":"overloaded"');
  });

  it('answers a body over its limit with 413, declared or streamed, and holds none of it (A8.3)', async () => {
    await start();
    const path = '/v1/bundles/company-report';
    const declared = await raw(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n`);
    expect(declared).toMatch(/^HTTP\/1\.1 413 /);
    const chunk = `8000\r\n${'a'.repeat(0x8000)}\r\n`;
    const streamed = await raw(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}${chunk}`,
    );
    expect(streamed).toContain('"code":"payload_too_large"');
  });

  it('answers a URL over 2048 bytes with 414 (A8.3)', async () => {
    await start();
    expect((await fetchRaw(`/health?${'a'.repeat(2100)}`)).status).toBe(414);
  });

  it('answers 503 when the handler takes longer than a whole request may (I8.8)', async () => {
    const snapshot = () => new Promise<never>(() => {});
    await start({
      deps: { store: { ...rig.deps.store, snapshot } },
      times: { requestMs: 30, headersMs: 20 },
    });
    const reply = await fetchRaw('/v1/readiness');
    expect(reply.status).toBe(503);
    expect(JSON.parse(reply.body.toString()).code).toBe('overloaded');
  });

  it('records a client that leaves in the middle as partial, and its receipt stays (P1.14)', async () => {
    const large = rig.release({
      sourceDate: '2026-02-08',
      padding: 'x'.repeat(7_900_000),
      issuers: [{ cik: '0001050446', ticker: 'MSTR', name: 'Strategy Inc', stress: 0.2 }],
    });
    rig.promote(large, { '2026-02-08': large });
    await start();
    const key = await rig.key();
    const socket = connect(listener.port, '127.0.0.1', () => {
      socket.write(`GET /v1/covenant-stress/MSTR HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n\r\n`);
    });
    open.push(socket);
    // a client that never reads holds less than the answer in the buffers of both sides
    await new Promise<void>((resolve) => socket.once('readable', () => resolve()));
    socket.resetAndDestroy();
    await untilEvents(1);
    expect(events[0]?.delivery).toBe('partial');
    expect(rig.deliveries.map(([, delivery]) => delivery)).toEqual(['partial']);
    expect(rig.notes).toHaveLength(1);
  });

  it('cuts off a client that does not take its answer in the time of a request (I8.8, P7.11)', async () => {
    const large = rig.release({
      sourceDate: '2026-02-08',
      padding: 'x'.repeat(7_900_000),
      issuers: [{ cik: '0001050446', ticker: 'MSTR', name: 'Strategy Inc', stress: 0.2 }],
    });
    rig.promote(large, { '2026-02-08': large });
    await start({ times: { requestMs: 500, headersMs: 400 } });
    const key = await rig.key();
    const socket = connect(listener.port, '127.0.0.1', () => {
      socket.write(`GET /v1/covenant-stress/MSTR HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n\r\n`);
    });
    open.push(socket);
    socket.pause();
    await untilEvents(1);
    expect(events.map((event) => event.delivery)).toEqual(['partial']);
    // what was sent of it counts as taken: reading all but the last byte is not free (P7.9)
    expect(rig.deliveries.map(([, delivery]) => delivery)).toEqual(['partial']);
  });

  it('answers few of the requests that a connection sends ahead of its answers, and all once they are read', async () => {
    const large = rig.release({
      sourceDate: '2026-02-08',
      padding: 'x'.repeat(7_900_000),
      issuers: [{ cik: '0001050446', ticker: 'MSTR', name: 'Strategy Inc', stress: 0.2 }],
    });
    rig.promote(large, { '2026-02-08': large });
    let begun = 0;
    await start({
      deps: {
        planOf: (...given) => {
          begun += 1;
          return rig.deps.planOf(...given);
        },
      },
    });
    const key = await rig.key();
    const asked = `GET /v1/covenant-stress/MSTR HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n\r\n`;
    const last = 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const socket = connect(listener.port, '127.0.0.1', () => socket.write(asked.repeat(20) + last));
    open.push(socket);
    socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(begun).toBeLessThanOrEqual(pipelineDepth + 1);
    socket.resume();
    await untilEvents(21);
    expect(begun).toBe(21);
    expect(new Set(events.map(({ delivery, outgoing }) => `${delivery} ${outgoing.status}`))).toEqual(
      new Set(['delivered 200']),
    );
  });

  it('claims nothing for a client that is gone before the decision (P1.13)', async () => {
    await start();
    const key = await rig.key();
    await rig.ask('/v1/readiness', { headers: { 'x-api-key': key }, clientGone: () => true });
    expect(rig.notes).toEqual([]);
  });

  it('records a client that left before its answer was there as undelivered (P1.14)', async () => {
    let arrived = (): void => {};
    let release = (): void => {};
    const seen = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { store } = rig.deps;
    const snapshot = async () => {
      arrived();
      await held;
      return store.snapshot();
    };
    await start({ deps: { store: { ...store, snapshot } } });
    const socket = connect(listener.port, '127.0.0.1', () => {
      socket.write('GET /v1/readiness HTTP/1.1\r\nHost: a\r\n\r\n');
    });
    open.push(socket);
    await seen;
    socket.resetAndDestroy();
    // a second connection is served only after the server's loop has seen the first one end
    await fetchRaw('/health');
    release();
    await untilEvents(2);
    expect(events.map((event) => event.delivery).sort()).toEqual(['delivered', 'undelivered']);
  });

  it('drains: running requests finish, new ones get 503, then the socket closes (I9.34)', async () => {
    let release = (): void => {};
    let arrived = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const seen = new Promise<void>((resolve) => (arrived = resolve));
    const { store } = rig.deps;
    const snapshot = async () => {
      arrived();
      await held;
      return store.snapshot();
    };
    await start({ deps: { store: { ...store, snapshot } } });
    const running = fetchRaw('/v1/readiness');
    await seen;
    const drained = listener.drain();
    const late = await fetchRaw('/health');
    expect([late.status, late.headers['connection']]).toEqual([503, 'close']);
    expect(JSON.parse(late.body.toString()).code).toBe('overloaded');
    release();
    expect((await running).status).toBe(402);
    await drained;
    await expect(fetchRaw('/health')).rejects.toThrow();
  });

  it('says which variable is wrong when the port is taken', async () => {
    await start();
    const again = listen({
      host: '127.0.0.1',
      port: listener.port,
      loopback: true,
      trustedProxies: [],
      deps: rig.deps,
      onExchange: () => {},
    });
    await expect(again).rejects.toMatchObject({ code: 'configuration', details: { variable: 'II_LISTEN' } });
  });
});
