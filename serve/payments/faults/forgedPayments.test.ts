import { afterEach, beforeEach, expect, it } from 'vitest';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import { type FaultServer, faultServer } from '../../../fixtures/replicas/faultServer.ts';
import { challengeOf, type PaidRig, paidRig, signedPayment } from '../../../fixtures/rigs/paidRig.ts';

// signatures nobody can check here: what they cost others, and the payer they name (P2.31, P2.34, S20)

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(61);
/** Longer than an account's, so it goes to the facilitator, who does not believe it. */
const forged = `0x${'ab'.repeat(100)}`;
let rig: PaidRig;
let node: FaultServer;

async function start(environment: Record<string, string> = {}): Promise<void> {
  node = await faultServer(() => ({ status: 200, json: { jsonrpc: '2.0', id: 1, result: '0x' } }));
  rig = await paidRig({ environment: { II_PAY_RPC_URL: node.url, ...environment } });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  rig.facilitator.balances.set(wallet.address, 10_000_000n);
}
beforeEach(() => start());
afterEach(async () => {
  await rig.close();
  await node.close();
});

const paid = (header: string, clientAddress = '192.0.2.1') =>
  rig.ask(path, { clientAddress, headers: { 'payment-signature': header } });

/** Sends `count` forged payments of one address at once; every one has a nonce of its own. */
async function flood(count: number, signature: string): Promise<number[]> {
  const challenge = challengeOf(await rig.ask(path));
  const headers = Array.from({ length: count }, () =>
    signedPayment(wallet, challenge, { nowMs: rig.clock.nowMs, signature }),
  );
  return (await Promise.all(headers.map((header) => paid(header)))).map((answer) => answer.status);
}

it('sixty at once reach the facilitator twenty times, like sixty one after the other (P2.34, S20)', async () => {
  const statuses = await flood(60, forged);
  expect(rig.facilitator.calls('/verify')).toHaveLength(20);
  expect(statuses.filter((status) => status === 402)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(40);
});

it('short ones ask the node for code twenty times a minute and address, and no more (P2.31, S20)', async () => {
  const statuses = [];
  for (let i = 0; i < 21; i += 1) {
    const challenge = challengeOf(await rig.ask(path));
    // every payer is another one: what was read of an account is remembered
    const header = signedPayment(testWallet(1000 + i), challenge, {
      nowMs: rig.clock.nowMs,
      signature: `0x${'11'.repeat(64)}1b`,
    });
    statuses.push((await paid(header)).status);
  }
  expect(statuses).toEqual([...Array(20).fill(402), 429]);
  expect(node.received).toHaveLength(20);
});

it('do not use up the limit of the payer they name (I8.3)', async () => {
  await rig.close();
  await node.close();
  await start({ II_RATE_PAYER: '3' });
  const challenge = challengeOf(await rig.ask(path));
  for (let i = 0; i < 5; i += 1) {
    const header = signedPayment(wallet, challenge, { nowMs: rig.clock.nowMs, signature: forged });
    expect((await paid(header, `198.51.100.${i}`)).status).toBe(402);
  }
  expect((await paid(await rig.pay(wallet, path))).status).toBe(200);
});

it.each([{ kind: 'status', status: 500, body: '{}' }, { kind: 'drop' }] as const)(
  'cannot close the rail for others by making the facilitator fail: $kind (P2.44)',
  async (fault) => {
    rig.facilitator.always('/verify', fault);
    // each counts like a refused one (S20)
    expect([await flood(20, forged), await flood(1, forged)]).toEqual([Array(20).fill(503), [429]]);
    rig.facilitator.always('/verify', { kind: 'answer' });
    expect((await paid(await rig.pay(wallet, path), '198.51.100.9')).status).toBe(200);
  },
);
