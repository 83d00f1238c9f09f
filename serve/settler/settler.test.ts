import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { payTo } from '../../fixtures/rigs/paidRig.ts';
import {
  type SettlingRig,
  settledPath,
  settlingPayer,
  settlingRig,
  settlingSigner,
  turnUntilDone,
} from '../../fixtures/rigs/settlingRig.ts';

// the settlement process over a real SQLite ledger and a stand-in node (PAYMENTS 9)

const path = settledPath;
const wallet = settlingPayer;
const signer = settlingSigner;
const until = turnUntilDone;
let on: SettlingRig;
let rig: SettlingRig['rig'];
let node: SettlingRig['node'];
let clock: SettlingRig['clock'];
let events: SettlingRig['events'];
let { settlerOf, paid, queued, books, charged, received } = {} as SettlingRig;

beforeEach(async () => {
  on = await settlingRig();
  ({ rig, node, clock, events, settlerOf, paid, queued, books, charged, received } = on);
});

afterEach(() => on.close());

describe('a payment settled by our own process', () => {
  it('is simulated, signed, stored, sent and answered, and the key was never in the server (P2.48, P9.6)', async () => {
    const answer = paid(await rig.pay(wallet, path));
    await queued(1);
    await until(settlerOf('one'));
    const answered = await answer;
    expect(answered.status).toBe(200);
    expect(answered.json()['settlement_receipt']).toMatchObject({
      charge_status: 'settled',
      settlement_tx_hash: node.sent[0]?.hash,
      provider: 'x402_exact',
    });
    expect(received()).toBe(100_000n);
    expect(await charged()).toBe(100_000);
  });

  it('twenty at once get account nonces without gap or double (P9.7)', async () => {
    const answers = [];
    for (let i = 0; i < 20; i += 1) {
      const buyer = testWallet(100 + i);
      node.balances.set(buyer.address, 100_000n);
      answers.push(paid(await rig.pay(buyer, path)));
    }
    await queued(20);
    const one = settlerOf('one');
    // a process has sixteen in hand at most
    await until(one);
    await until(one);
    expect((await Promise.all(answers)).map((one) => one.status)).toEqual(
      Array.from({ length: 20 }, () => 200),
    );
    expect(node.sent.map((one) => one.nonce)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(received()).toBe(2_000_000n);
    expect(await charged()).toBe(2_000_000);
  });

  it('that a dry run refuses costs no gas and is 402 with the reason (P9.6 b)', async () => {
    node.balances.set(wallet.address, 1n);
    const answer = paid(await rig.pay(wallet, path));
    await queued(1);
    await until(settlerOf('one'));
    expect((await answer).json()).toMatchObject({
      status: 402,
      code: 'payment_settlement_failed',
      error_reason: 'insufficient_funds',
    });
    expect(node.sent).toEqual([]);
    expect(await charged()).toBe(0);
  });

  it('is refused when its time ran out in the queue (X45, P9.6 a)', async () => {
    const answer = paid(await rig.pay(wallet, path));
    await queued(1);
    rig.advance(10_000);
    expect((await answer).json()).toMatchObject({ status: 503, code: 'settlement_pending' });
    expect(await books()).toEqual({ receipts: ['submitted'], jobs: ['queued'] });
    rig.advance(45_000);
    await until(settlerOf('one'));
    expect(node.sent).toEqual([]);
    expect(await charged()).toBe(0);
    const [row] = await rows();
    expect(row).toMatchObject({ chargeStatus: 'failed', failureReason: 'expired_in_queue' });
  });

  it('survives a crash after its bytes were stored: the same bytes are sent again (X44, P9.8)', async () => {
    node.automine = false;
    const header = await rig.pay(wallet, path);
    const answer = paid(header);
    await queued(1);
    await settlerOf('crashing').turn();
    expect(node.sent).toHaveLength(1);
    rig.advance(31_000);
    expect((await answer).json()).toMatchObject({ code: 'settlement_pending' });
    expect(await books()).toEqual({ receipts: ['submitted'], jobs: ['sent'] });
    expect(received()).toBe(0n);
    const second = settlerOf('second');
    await second.turn();
    expect(node.sent).toHaveLength(1);
    node.mine();
    await until(second);
    const again = await paid(header);
    expect(again.status).toBe(200);
    expect(await books()).toEqual({ receipts: ['settled'], jobs: ['done'] });
    expect(received()).toBe(100_000n);
    expect(await charged()).toBe(100_000);
  });

  it('that finds its node away is kept, tried again, and settled when the node is back (X56, P9.10)', async () => {
    const header = await rig.pay(wallet, path);
    const answer = paid(header);
    await queued(1);
    const one = settlerOf('one');
    node.always('/', { kind: 'status', status: 503, body: '' });
    await one.turn();
    expect(events.map((line) => line.event)).toEqual(['settler_rpc_error']);
    expect(await books()).toEqual({ receipts: ['submitted'], jobs: ['queued'] });
    // not before half a second is over
    expect(await one.turn()).toBe(0);
    clock.nowMs += 500;
    await one.turn();
    expect(events).toHaveLength(2);
    rig.advance(10_000);
    expect((await answer).json()).toMatchObject({ status: 503, code: 'settlement_pending' });
    expect(await charged()).toBe(0);
    node.always('/', { kind: 'answer' });
    await until(one);
    expect((await paid(header)).status).toBe(200);
    expect(await books()).toEqual({ receipts: ['settled'], jobs: ['done'] });
    expect(received()).toBe(100_000n);
    expect(await charged()).toBe(100_000);
  });

  it('waits longer at each try, and not always alike (P9.10)', async () => {
    void paid(await rig.pay(wallet, path));
    await queued(1);
    const draws = [0.2, 0.6];
    const one = settlerOf('one', { random: () => draws.shift() ?? 1 });
    node.always('/', { kind: 'status', status: 503, body: '' });
    const tries: number[] = [];
    const from = clock.nowMs;
    while (tries.length < 3) {
      const before = events.length;
      await one.turn();
      if (events.length > before) tries.push(clock.nowMs - from);
      clock.nowMs += 100;
    }
    // 300 ms of 500, then 800 of 1000
    expect(tries).toEqual([0, 300, 1100]);
    rig.advance(10_000);
  });

  it('whose block left the chain is sent again with the same bytes, while they can count (X55, P8.54)', async () => {
    node.safeLag = 5;
    const validBefore = BigInt(clock.nowMs / 1000 + 600);
    const answer = paid(await rig.pay(wallet, path, { validBefore }));
    await queued(1);
    const one = settlerOf('one');
    await until(one);
    const { receipt_id } = (await answer).json()['settlement_receipt'] as { receipt_id: string };
    const [first] = node.sent;
    node.reorganize();
    expect(received()).toBe(0n);
    const look = async (afterMs: number) => {
      rig.advance(afterMs);
      await rig.payments.reconciler?.pass();
    };
    await look(9999);
    expect(rig.logLines.join('')).not.toContain('settlement_left_chain');
    // ten seconds after it settled, although its handler owns the claim for thirty
    await look(1);
    expect(rig.logLines.join('')).toContain('settlement_left_chain');
    await until(one);
    expect(node.sent.map(({ hash }) => hash)).toEqual([first?.hash, first?.hash]);
    expect(received()).toBe(100_000n);
    // nothing is left to do for either of them
    for (let i = 0; i < 6; i += 1) node.mine();
    await look(10_000);
    expect(await one.turn()).toBe(0);
    const receipt = await rig.ledger.findReceipt(receipt_id);
    const claim = await rig.ledger.findClaim(receipt?.claimKey ?? new Uint8Array(32));
    expect(claim?.payment).toMatchObject({ finality: 'safe', nextCheckMs: null });
    expect(receipt).toMatchObject({ chargeStatus: 'settled', settlementTxHash: first?.hash });
    expect(await charged()).toBe(100_000);
  });

  it('whose block left the chain for good is reported, and nothing is sent any more (X55, P8.54)', async () => {
    node.safeLag = 5;
    const answer = paid(await rig.pay(wallet, path));
    await queued(1);
    await until(settlerOf('one'));
    expect((await answer).status).toBe(200);
    node.reorganize();
    rig.advance(120_000);
    for (let i = 0; i < 7; i += 1) node.mine();
    await rig.payments.reconciler?.pass();
    expect(rig.logLines.join('')).toContain('settlement_reorged');
    expect(await settlerOf('next').turn()).toBe(0);
    expect(node.sent).toHaveLength(1);
    expect(received()).toBe(0n);
    // the state machine has no way back: the operator writes T11
    expect(await books()).toEqual({ receipts: ['settled'], jobs: ['done'] });
  });

  it('that is slow is replaced with the same account nonce and an eighth more fee (P9.8)', async () => {
    node.automine = false;
    const header = await rig.pay(wallet, path);
    const answer = paid(header);
    await queued(1);
    const one = settlerOf('one');
    await one.turn();
    rig.advance(21_000);
    await one.turn();
    expect((await answer).status).toBe(503);
    expect(node.sent.map((sent) => sent.nonce)).toEqual([0, 0]);
    expect(new Set(node.sent.map((sent) => sent.hash)).size).toBe(2);
    node.mine();
    await until(one);
    expect(received()).toBe(100_000n);
    expect(await charged()).toBe(100_000);
    expect((await paid(header)).status).toBe(200);
  });

  it('whose bytes the node lost until they were worth nothing leaves no gap: the next one takes its nonce (P9.7)', async () => {
    const one = settlerOf('one');
    const settled = paid(await rig.pay(wallet, path));
    await queued(1);
    await until(one);
    expect((await settled).status).toBe(200);
    node.automine = false;
    const lost = paid(await rig.pay(wallet, path));
    await queued(1);
    for (let seconds = 0; seconds < 63; seconds += 21) {
      await one.turn();
      node.forget();
      rig.advance(21_000);
    }
    node.mine();
    expect((await lost).status).toBe(503);
    await one.turn();
    expect(await books()).toEqual({ receipts: ['failed', 'settled'], jobs: ['done'] });
    node.automine = true;
    const next = paid(await rig.pay(testWallet(64), path));
    node.balances.set(testWallet(64).address, 100_000n);
    await queued(1);
    await until(one);
    expect((await next).status).toBe(200);
    expect(node.sent.map((sent) => sent.nonce)).toEqual([0, 1, 1, 1, 1]);
    expect(await charged()).toBe(200_000);
  });

  it('that left the chain for good leaves no gap either (P9.7, X55)', async () => {
    const one = settlerOf('one');
    for (let payments = 0; payments < 2; payments += 1) {
      const settled = paid(await rig.pay(wallet, path));
      await queued(1);
      await until(one);
      expect((await settled).status).toBe(200);
    }
    node.reorganize();
    for (let seconds = 0; seconds < 24; seconds += 8) {
      rig.advance(8000);
      await one.turn();
    }
    const next = paid(await rig.pay(testWallet(64), path));
    node.balances.set(testWallet(64).address, 100_000n);
    await queued(1);
    await until(one);
    expect((await next).status).toBe(200);
    expect(node.sent.map((sent) => sent.nonce)).toEqual([0, 1, 1]);
  });

  it('signs nothing new while the node has lost the bytes of a job in hand (P9.7)', async () => {
    node.automine = false;
    const first = paid(await rig.pay(wallet, path));
    await queued(1);
    const one = settlerOf('one');
    await one.turn();
    node.forget();
    node.balances.set(testWallet(64).address, 100_000n);
    const second = paid(await rig.pay(testWallet(64), path));
    await queued(2);
    expect(await one.turn()).toBe(1);
    expect(node.sent.map((sent) => sent.nonce)).toEqual([0]);
    expect(await books()).toMatchObject({ jobs: ['queued', 'sent'] });
    rig.advance(21_000);
    node.automine = true;
    await until(one);
    expect([(await first).status, (await second).status]).toEqual([503, 503]);
    expect(node.sent.map((sent) => sent.nonce)).toEqual([0, 0, 1]);
    expect(await books()).toEqual({ receipts: ['settled'], jobs: ['done'] });
    expect(await charged()).toBe(200_000);
  });

  it('used by somebody else after our claim is ours all the same (X12)', async () => {
    const header = await rig.pay(wallet, path);
    const answer = paid(header);
    await queued(1);
    const { payload } = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
    const { nonce } = payload.authorization;
    const elsewhere = { from: wallet.address, nonce, to: payTo.toLowerCase(), value: 100_000n };
    const hash = node.useElsewhere(elsewhere);
    await until(settlerOf('one'));
    const answered = await answer;
    expect(answered.status).toBe(200);
    expect(answered.json()['settlement_receipt']).toMatchObject({ settlement_tx_hash: hash });
    expect(node.sent).toEqual([]);
    expect(await charged()).toBe(100_000);
  });

  it('used by somebody else while it waited past its deadline is ours, not refused (X12, X45)', async () => {
    const header = await rig.pay(wallet, path);
    const answer = paid(header);
    await queued(1);
    const { payload } = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
    const { nonce } = payload.authorization;
    const hash = node.useElsewhere({ from: wallet.address, nonce, to: payTo.toLowerCase(), value: 100_000n });
    rig.advance(58_000);
    expect((await answer).json()).toMatchObject({ status: 503, code: 'settlement_pending' });
    await until(settlerOf('late'));
    expect(node.sent).toEqual([]);
    expect(await books()).toEqual({ receipts: ['settled'], jobs: ['done'] });
    const again = await paid(header);
    expect(again.json()['settlement_receipt']).toMatchObject({ settlement_tx_hash: hash });
    expect(received()).toBe(100_000n);
    expect(await charged()).toBe(100_000);
  });

  it('used before our claim is somebody else’s sale (X13)', async () => {
    const header = await rig.pay(wallet, path);
    const { payload } = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
    const { nonce } = payload.authorization;
    const timestamp = Math.floor(clock.nowMs / 1000) - 30;
    node.useElsewhere({ from: wallet.address, nonce, to: payTo.toLowerCase(), value: 100_000n, timestamp });
    const answer = paid(header);
    await queued(1);
    await until(settlerOf('one'));
    expect((await answer).json()).toMatchObject({
      status: 402,
      code: 'payment_settlement_failed',
      error_reason: 'authorization_used_before',
    });
    expect(await charged()).toBe(0);
  });

  it('waits without gas funds or above the fee cap, and says so (P9.10)', async () => {
    node.ether.set(signer.address, 0n);
    const answer = paid(await rig.pay(wallet, path));
    await queued(1);
    const one = settlerOf('one');
    await one.turn();
    expect(node.sent).toEqual([]);
    expect(events.map((line) => line.event)).toContain('settler_blocked');
    // the server hears of it by the job, and lets nobody else in (P2.44)
    await expect.poll(() => rig.payments.breakers()[0]?.state).toBe('open');
    const refused = await paid(await rig.pay(testWallet(63), path));
    expect(refused.json()).toMatchObject({ status: 503, code: 'settlement_unavailable' });
    expect(await rows()).toHaveLength(1);
    node.ether.set(signer.address, 10n ** 18n);
    node.baseFeeWei = 6_000_000_000n;
    clock.nowMs += 6000;
    await one.turn();
    expect(node.sent).toEqual([]);
    node.baseFeeWei = 10_000_000n;
    clock.nowMs += 6000;
    await until(one);
    rig.advance(0);
    expect([200, 503]).toContain((await answer).status);
    expect(await charged()).toBe(100_000);
  });
});

async function rows() {
  const found = [];
  for await (const row of rig.ledger.export({ fromMs: 0, toMs: 8e15 })) found.push(row);
  return found;
}
