import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { type PaidRig, signedPayment } from '../../fixtures/rigs/paidRig.ts';
import { sellingRig } from '../../fixtures/rigs/sellingRig.ts';
import { resultOf, toolClient } from '../../fixtures/rigs/toolCalls.ts';
import { type ExchangeEvent, type Listener, listen } from '../listen.ts';

const wallet = testWallet(12);
const name = 'intel_covenant_stress';
const args = { ticker: 'MSTR' };
const frame = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

let rig: PaidRig;
let listener: Listener;
let ended = Promise.withResolvers<ExchangeEvent>();

beforeEach(async () => {
  rig = await sellingRig({ wallet });
  ended = Promise.withResolvers();
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    loopback: true,
    trustedProxies: [],
    deps: rig.deps,
    onExchange: (event) => ended.resolve(event),
  });
});
afterEach(async () => {
  await listener.drain();
  expect((await rig.ledger.check()).problems).toEqual([]);
  await rig.close();
});

async function payment(): Promise<string> {
  const unpaid = await toolClient(rig.ask).call(name, args);
  const text = Buffer.from(unpaid.headers.get('payment-required') ?? '', 'base64').toString('utf8');
  return signedPayment(wallet, JSON.parse(text), { nowMs: rig.clock.nowMs });
}

function sent(header: string) {
  const headers = {
    host: new URL(rig.deps.deployment.baseUrl).host,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(frame),
    'payment-signature': header,
  };
  const call = request({ host: '127.0.0.1', port: listener.port, method: 'POST', path: '/mcp', headers });
  // a connection that its own side closes reports a reset
  call.on('error', () => {});
  return call;
}

const again = (header: string) => toolClient(rig.ask).call(name, args, { 'payment-signature': header });
const books = async () => {
  const { receipts, payments, chargedMicro } = await rig.ledger.check();
  return { receipts, payments, chargedMicro };
};

const settledOnce = { receipts: 1, payments: 1, chargedMicro: 40_000 };

describe('a tool call whose client closes the connection', () => {
  it('in the middle of its frame is neither claimed nor charged, and its payment stays good', async () => {
    const header = await payment();
    const call = sent(header);
    const opened = Promise.withResolvers<void>();
    call.write(frame.slice(0, 20), () => opened.resolve());
    await opened.promise;
    call.destroy();
    await ended.promise;
    expect(await books()).toEqual({ receipts: 0, payments: 0, chargedMicro: 0 });
    expect(resultOf(await again(header)).isError).toBe(false);
    expect(await books()).toEqual(settledOnce);
  });

  it('with the answer on its way has paid once, and the same payment brings that answer (P1.14)', async () => {
    const header = await payment();
    const call = sent(header);
    const left = Promise.withResolvers<unknown>();
    call.on('response', (response) => {
      left.resolve(response.headers['x-receipt-id']);
      // the headers are read and no byte of the body
      response.destroy();
    });
    call.end(frame);
    const receipt = await left.promise;
    expect(receipt).toEqual(expect.any(String));
    await ended.promise;
    expect(await books()).toEqual(settledOnce);
    const answer = await again(header);
    expect([answer.headers.get('x-receipt-id'), answer.headers.get('idempotent-replay')]).toEqual([
      receipt,
      'true',
    ]);
    expect(await books()).toEqual(settledOnce);
  });
});
