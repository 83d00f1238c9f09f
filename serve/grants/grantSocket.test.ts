import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { type AccountRig, accountRig } from '../../fixtures/rigs/accountRig.ts';
import type { ServeDeps } from '../handle.ts';
import { type ExchangeEvent, type Listener, listen } from '../listen.ts';

// holds over real sockets: what a connection that breaks means for a budget (P7.9, PAYMENTS 11.C)

const wallet = testWallet(11);
let rig: AccountRig;
let listener: Listener;
let token: string;
let grantId: string;
let ended: Promise<ExchangeEvent>;
let events: ExchangeEvent[];
let socket: Socket | null;

beforeEach(async () => {
  socket = null;
  rig = await accountRig();
  const release = rig.release({
    sourceDate: '2026-02-07',
    // more than the buffers of both sides of a connection hold
    padding: 'x'.repeat(7_900_000),
    issuers: [{ cik: '0001050446', ticker: 'MSTR', name: 'Strategy Inc', stress: 0.2 }],
  });
  rig.promote(release, { '2026-02-07': release });
  grantId = await rig.enrol({ wallet: wallet.address });
  token = await rig.token(wallet);
});
afterEach(async () => {
  socket?.destroy();
  await listener.drain();
  expect((await rig.ledger.check()).problems).toEqual([]);
  await rig.close();
});

async function start({ drainMs, deps }: { drainMs?: number; deps?: Partial<ServeDeps> } = {}): Promise<void> {
  let tell: (event: ExchangeEvent) => void = () => {};
  events = [];
  ended = new Promise((resolve) => {
    tell = (event) => {
      events.push(event);
      resolve(event);
    };
  });
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    loopback: true,
    trustedProxies: [],
    deps: { ...rig.deps, ...deps },
    times: { headersMs: 10_000, requestMs: 20_000, drainMs: drainMs ?? 20_000, keepAliveMs: 5_000 },
    onExchange: (event) => tell(event),
  });
}

/** Asks, several times ahead of the answers when told to, and reads nothing. */
function ask(times = 1): Socket {
  const call = `GET /v1/covenant-stress/MSTR HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const opened = connect(listener.port, '127.0.0.1', () => {
    opened.write(call.repeat(times));
  });
  opened.on('error', () => {});
  socket = opened;
  return opened;
}

const firstBytes = (of: Socket) => new Promise<void>((resolve) => of.once('readable', () => resolve()));
async function states(): Promise<string[]> {
  // an awaited write behind what was handed over
  await rig.ledger.sweep();
  return (await rig.ledger.grants.debits(grantId)).map((debit) => debit.state);
}

describe('a grant-paid answer', () => {
  it('is debited when it was read to its end', async () => {
    await start();
    ask().resume();
    expect((await ended).delivery).toBe('delivered');
    expect(await states()).toEqual(['debited']);
  });

  it('is debited when the client closes after the first bytes (X42)', async () => {
    await start();
    const asking = ask();
    await firstBytes(asking);
    expect(await states()).toEqual(['held']);
    asking.resetAndDestroy();
    expect((await ended).delivery).toBe('partial');
    expect(await states()).toEqual(['debited']);
  });

  it('is given back when it waited behind another and the client left before its first byte (P1.14)', async () => {
    await start();
    const asking = ask(3);
    await firstBytes(asking);
    await expect.poll(states).toEqual(['held', 'held', 'held']);
    asking.resetAndDestroy();
    await expect
      .poll(() => events.map(({ delivery }) => delivery).sort())
      .toEqual(['partial', 'undelivered', 'undelivered']);
    expect((await states()).sort()).toEqual(['debited', 'released', 'released']);
  });

  it('is given back when the server breaks it off in the middle (X41, A5.38)', async () => {
    await start({ drainMs: 10 });
    await firstBytes(ask());
    await listener.drain();
    expect((await ended).delivery).toBe('partial');
    expect(await states()).toEqual(['released']);
  });

  it('is given back when the client left between hold and answer', async () => {
    const { gate } = rig.deps;
    let asking: Socket | null = null;
    const leaving = {
      ...gate,
      async decide(request: Parameters<typeof gate.decide>[0]) {
        const decision = await gate.decide(request);
        const gone = new Promise<void>((resolve) => asking?.once('close', () => resolve()));
        asking?.resetAndDestroy();
        await gone;
        while (!request.clientGone()) await new Promise((resolve) => setImmediate(resolve));
        return decision;
      },
    };
    await start({ deps: { gate: leaving } });
    asking = ask();
    expect((await ended).delivery).toBe('undelivered');
    expect(await states()).toEqual(['released']);
  });

  it('is not even held when the client left before (X32, P1.13)', async () => {
    const { gate } = rig.deps;
    const gone = {
      ...gate,
      decide: (request: Parameters<typeof gate.decide>[0]) =>
        gate.decide({ ...request, clientGone: () => true }),
    };
    await start({ deps: { gate: gone } });
    ask().resume();
    await ended;
    expect(await states()).toEqual([]);
  });

  it('is given back when it cannot be made (P7.9)', async () => {
    const { gate } = rig.deps;
    const failing = {
      ...gate,
      async decide(request: Parameters<typeof gate.decide>[0]) {
        const decision = await gate.decide(request);
        if (decision.kind !== 'admit') return decision;
        const broken = new Proxy(decision, {
          get: (of, name) => {
            if (name === 'headers') throw new RangeError('defect');
            return Reflect.get(of, name);
          },
        });
        return broken;
      },
    };
    await start({ deps: { gate: failing } });
    ask().resume();
    expect((await ended).outgoing.status).toBe(500);
    expect(await states()).toEqual(['released']);
  });
});
