import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manualTime } from '../../fixtures/bench/ledgerManualTime.ts';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { type ChainReplica, chainReplica } from '../../fixtures/replicas/chainReplica.ts';
import { type PaidRig, paidRig, payTo } from '../../fixtures/replicas/paidRig.ts';
import { usdcDomain } from '../../fixtures/replicas/usdcDomain.ts';
import type { LedgerLog, LedgerTime } from '../ledger/ledger.ts';
import { type ChainReader, chainReader } from '../payments/evm/chainReader.ts';
import { type JsonClient, jsonClient } from '../payments/provider/postJson.ts';
import { type SettlementHints, wakePath } from '../payments/provider/settlementHints.ts';
import { wakeCaller } from '../payments/provider/wakeCaller.ts';
import { type Settler, settler } from './settler.ts';
import { viemChain } from './viemChain.ts';
import { wakeListener } from './wakeListener.ts';

// the settlement process over a real SQLite ledger and a stand-in node (PAYMENTS 9)

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(61);
const signer = testWallet(62);
const clock = { nowMs: 0 };
let rig: PaidRig;
let node: ChainReplica;
let client: JsonClient;
let reader: ChainReader;
let events: Parameters<LedgerLog>[0][];

beforeEach(async () => {
  clock.nowMs = Date.parse('2026-02-07T10:00:00Z');
  events = [];
  node = await chainReplica({ nowMs: () => clock.nowMs });
  node.balances.set(wallet.address, 10_000_000n);
  node.ether.set(signer.address, 10n ** 18n);
  client = jsonClient({ baseUrl: node.url, nowMs: () => clock.nowMs });
  reader = chainReader({ client, nowMs: () => clock.nowMs });
  await start();
});
afterEach(async () => {
  await rig.close();
  await client.close();
  await node.close();
});

async function start(o: { hints?: SettlementHints } = {}): Promise<void> {
  rig = await paidRig({
    ...o,
    clock,
    environment: { II_PAY_EXACT: 'self', II_PAY_RPC_URL: node.url, II_PAY_FACILITATOR_URL: '' },
  });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
}

type SettlerChange = {
  privateKey?: Uint8Array;
  maxFeeWei?: bigint;
  time?: LedgerTime;
  hints?: SettlementHints;
};

function settlerOf(owner: string, o: SettlerChange = {}): Settler {
  const key = Buffer.from(o.privateKey ?? signer.privateKey).toString('hex');
  return settler({
    ledger: rig.ledger,
    chain: viemChain({
      rpcUrl: node.url,
      network: 'eip155:8453',
      asset: usdcDomain.verifyingContract,
      privateKey: `0x${key}`,
      maxFeeWei: o.maxFeeWei ?? 5_000_000_000n,
    }),
    reader,
    owner,
    time: o.time ?? { nowMs: () => clock.nowMs, after: () => () => {} },
    log: (line) => void events.push(line),
    ...(o.hints === undefined ? {} : { hints: o.hints }),
  });
}
const paid = (header: string) => rig.ask(path, { headers: { 'payment-signature': header } });
/** Waits for a settler to have its account. */
async function signerLeased(): Promise<void> {
  const asked = { signer: signer.address, owner: 'another', leaseMs: 0 };
  while ((await rig.ledger.jobs.leaseSigner(asked)) !== null)
    await new Promise<void>((resolve) => setImmediate(resolve));
}
/** Lets the server come to its wait for the settler. */
async function queued(count: number): Promise<void> {
  for (;;) {
    const { jobs } = await rig.ledger.overview();
    const waiting = jobs.filter((one) => one.state !== 'done').reduce((sum, one) => sum + one.count, 0);
    // the wait of the handler and the renewal of its claim begin in the same turn
    if (waiting >= count) return rig.waitBegan(10_000);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
async function until(settling: Settler, turns = 10): Promise<void> {
  for (let i = 0; i < turns; i += 1) if ((await settling.turn()) === 0) return;
}
/** Statuses of receipts and states of jobs, one of each kind. */
const books = async () => {
  const { receipts, jobs } = await rig.ledger.overview();
  return { receipts: receipts.map((one) => one.status), jobs: jobs.map((one) => one.state) };
};
const charged = async () => {
  const report = await rig.ledger.check();
  expect(report.problems).toEqual([]);
  return report.chargedMicro;
};
const received = () => node.balances.get(payTo.toLowerCase()) ?? 0n;

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

describe('two settlers', () => {
  it('with one account: the second waits, and every payment is settled once (X46, P9.5)', async () => {
    const [one, two] = [settlerOf('one'), settlerOf('two')];
    await one.turn();
    const answer = paid(await rig.pay(wallet, path));
    await queued(1);
    expect(await two.turn()).toBe(0);
    expect(node.sent).toEqual([]);
    await until(one);
    expect((await answer).status).toBe(200);
    expect(node.sent).toHaveLength(1);
  });

  it('with two accounts share the queue, one job each (P9.9)', async () => {
    const other = testWallet(63);
    node.ether.set(other.address, 10n ** 18n);
    const answers = [paid(await rig.pay(wallet, path))];
    await queued(1);
    const [one, two] = [settlerOf('one'), settlerOf('two', { privateKey: other.privateKey })];
    await Promise.all([until(one), until(two)]);
    expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual([200]);
    expect(node.sent).toHaveLength(1);
    expect(await charged()).toBe(100_000);
  });
});

describe('a settler and a server on the socket beside the ledger', () => {
  it('need no clock between the claim and the broadcast, and the server is told of the outcome (P9.11)', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'wake-'));
    const place = wakePath(join(directory, 'ledger.db'));
    const [here, there] = [manualTime(clock.nowMs), manualTime(clock.nowMs)];
    const called = wakeCaller({ path: place, time: there });
    const heard = await wakeListener({ path: place, time: here, log: () => {} });
    const answered = Promise.withResolvers<void>();
    called.onTouch(answered.resolve);
    await rig.close();
    await start({ hints: called });
    const ended = Promise.withResolvers<void>();
    const running = settlerOf('one', { time: here, hints: heard }).run(ended.promise);
    await signerLeased();
    const answer = paid(await rig.pay(wallet, path));
    while (node.sent.length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    // blocks are looked for by the clock
    here.advance(250);
    await answered.promise;
    expect((await answer).status).toBe(200);
    expect(await charged()).toBe(100_000);
    ended.resolve();
    here.advance(250);
    await running;
    await heard.close();
    rmSync(directory, { recursive: true });
  });
});

describe('the end of a settler', () => {
  it('gives the account back (P9.15)', async () => {
    await settlerOf('one').run(Promise.resolve());
    const lease = await rig.ledger.jobs.leaseSigner({ signer: signer.address, owner: 'next', leaseMs: 1000 });
    expect(lease?.owner).toBe('next');
  });
});
