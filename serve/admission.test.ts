import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problem } from '../data/contract/errors/problem.ts';
import { type AskedRequest, plainRequest, type Reply } from '../fixtures/rigs/plainRequest.ts';
import { type Rig, serveRig } from '../fixtures/rigs/serveRig.ts';
import type { ServeDeps } from './handle.ts';
import { type InFlight, inFlight } from './http/inFlight.ts';
import { type ExchangeEvent, type Listener, listen } from './listen.ts';

let rig: Rig;
let listener: Listener;
let events: ExchangeEvent[];

async function start(deps: Partial<ServeDeps>, admission?: InFlight): Promise<void> {
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    loopback: true,
    trustedProxies: [],
    deps: { ...rig.deps, ...deps },
    ...(admission === undefined ? {} : { inFlight: admission }),
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
  await listener.drain();
  rig.close();
});

const get = (path: string, asked: AskedRequest = {}): Promise<Reply> =>
  plainRequest(`http://127.0.0.1:${listener.port}${path}`, asked);

function untilEvents(count: number): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => (events.length >= count ? resolve() : void setImmediate(look));
    look();
  });
}

/** A place in the server that is passed once a test opens it. */
function gated() {
  let arrive = (): void => {};
  let open = (): void => {};
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    reached,
    open,
    pass: () => {
      arrive();
      return opened;
    },
  };
}

describe('a server with as many requests in flight as it takes (I8.9)', () => {
  it('answers 503 before anything is claimed, and probes as ever', async () => {
    const reading = gated();
    const decided: string[] = [];
    const snapshot = async () => {
      await reading.pass();
      return rig.deps.store.snapshot();
    };
    const decide: ServeDeps['gate']['decide'] = (asked) => {
      decided.push(asked.requestId);
      return rig.deps.gate.decide(asked);
    };
    await start(
      { store: { ...rig.deps.store, snapshot }, gate: { ...rig.deps.gate, decide } },
      inFlight({ all: 100, address: 1 }),
    );
    const key = await rig.key();
    const first = get('/v1/readiness', { headers: { 'x-api-key': key, 'x-request-id': 'first-one' } });
    await reading.reached;
    const second = await get('/v1/readiness', {
      headers: { 'payment-signature': 'QUJD', 'x-request-id': 'second-one' },
    });
    expect([second.status, second.headers['retry-after']]).toEqual([503, '1']);
    expect(problem.parse(JSON.parse(second.body.toString()))).toMatchObject({
      code: 'overloaded',
      retryable: true,
      billing_status: 'not_charged',
    });
    expect((await get('/health')).status).toBe(200);
    expect(decided).toEqual([]);
    reading.open();
    expect((await first).status).toBe(200);
    await untilEvents(3);
    expect((await get('/v1/readiness', { headers: { 'x-api-key': key } })).status).toBe(200);
    expect(decided[0]).toBe('first-one');
    expect(decided).toHaveLength(2);
  });
});

describe('a client that left', () => {
  it('is begun nothing for when the turn of its free request comes', async () => {
    const line = gated();
    const planned: string[] = [];
    await start({
      freeTurn: async (begin) => {
        await line.pass();
        return begin();
      },
      planOf: (...given) => {
        planned.push(given[0].target);
        return rig.deps.planOf(...given);
      },
    });
    const socket = connect(listener.port, '127.0.0.1', () => {
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n');
    });
    await line.reached;
    socket.destroy();
    // a second connection is served only after the server's loop has seen the first one end
    await get('/health');
    line.open();
    await untilEvents(2);
    expect(planned).toEqual(['/health']);
    expect(events.map(({ delivery }) => delivery)).toEqual(['delivered', 'undelivered']);
  });
});
