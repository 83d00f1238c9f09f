import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import { type ChainReplica, chainReplica } from '../../../fixtures/replicas/chainReplica.ts';
import { type FillableDisk, fillableDisk } from '../../../fixtures/rigs/fillableDisk.ts';
import { writerHere } from '../../../fixtures/rigs/ledger/writerHere.ts';
import { type PaidRig, paidRig, payTo } from '../../../fixtures/rigs/paidRig.ts';
import type { Ledger } from '../../ledger/port/ledger.ts';
import { sqliteLedger } from '../../ledger/sqlite/sqliteLedger.ts';

// a disk that is full while a settlement runs: HTTP answer, ledger, charge, recovery (X47, X48, P8.12)

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(81);
const clock = { nowMs: 0 };
let directory: string;
let disk: FillableDisk;
let node: ChainReplica;
let ledgers: Ledger[];
/** Resolves when the ledger of the last server writes again after a batch it could not write. */
let writesAgain: Promise<void>;
let rigs: PaidRig[];
let rig: PaidRig;

async function server(owner: string): Promise<PaidRig> {
  const ledgerPath = join(directory, 'ledger.db');
  const again = Promise.withResolvers<void>();
  writesAgain = again.promise;
  const ledger = sqliteLedger({
    path: ledgerPath,
    // nothing here waits for real: what the ledger tries again it tries at once
    time: {
      nowMs: () => clock.nowMs,
      after(ms, task) {
        const timer = ms < 5000 ? setTimeout(task, 1) : undefined;
        return () => clearTimeout(timer);
      },
    },
    log: ({ event }) => {
      if (event === 'ledger_writes_again') again.resolve();
    },
    onFatal: (error) => {
      throw error;
    },
    spawn: writerHere(ledgerPath, disk.tune),
  });
  await ledger.open();
  ledgers.push(ledger);
  const built = await paidRig({
    clock,
    ledger,
    owner,
    shortPauseMs: 500,
    environment: { II_PAY_EXACT_VERIFY: 'settle', II_PAY_RPC_URL: node.url },
  });
  rigs.push(built);
  const release = built.release({ sourceDate: '2026-02-07' });
  built.promote(release, { '2026-02-07': release });
  built.facilitator.balances.set(wallet.address, 10_000_000n);
  return built;
}
beforeEach(async () => {
  clock.nowMs = Date.parse('2026-02-07T10:00:00Z');
  directory = mkdtempSync(join(tmpdir(), 'full-'));
  disk = fillableDisk(join(directory, 'ledger.db'));
  node = await chainReplica({ nowMs: () => clock.nowMs });
  node.balances.set(wallet.address, 10_000_000n);
  ledgers = [];
  rigs = [];
  rig = await server('first');
});
afterEach(async () => {
  disk.free();
  for (const one of rigs) await one.close();
  for (const one of ledgers) await one.close();
  await node.close();
  rmSync(directory, { recursive: true });
});

type Asked = ReturnType<PaidRig['ask']>;
const paid = (header: string, at = rig): Asked => at.ask(path, { headers: { 'payment-signature': header } });

/** A payment whose disk is full from the moment on at which the provider has its money. */
async function fullAtT4(header: string): Asked {
  rig.facilitator.misbehave('/settle', { kind: 'hold' });
  const answer = paid(header);
  await rig.facilitator.arrived('/settle', 1);
  disk.fill();
  do await new Promise<void>((resolve) => setImmediate(resolve));
  while (rig.facilitator.taken(payTo) === 0n);
  rig.facilitator.release();
  return answer;
}
async function stateOf(receiptId: unknown) {
  const receipt = await rig.ledger.findReceipt(String(receiptId));
  const found = await rig.ledger.findClaim(receipt?.claimKey ?? new Uint8Array(32));
  return {
    state: `${found?.receipt.chargeStatus}/${found?.payment.phase}`,
    chargedMicro: found?.receipt.chargedMicro,
    journal: (await rig.ledger.journal(String(receiptId))).map((row) => row.to),
  };
}
const balanced = async () => {
  const { problems, chargedMicro, receipts } = await rig.ledger.check();
  expect(problems).toEqual([]);
  return { chargedMicro, receipts };
};

describe('a disk that is full when the payment is settled', () => {
  it('costs the reserve, and the payment ends as on any other day (X48)', async () => {
    disk.keepReserve();
    const answer = await fullAtT4(await rig.pay(wallet, path));
    expect(answer.status).toBe(200);
    const { receipt_id } = answer.json()['settlement_receipt'] as { receipt_id: string };
    expect(disk.hasReserve()).toBe(false);
    expect(await stateOf(receipt_id)).toEqual({
      state: 'settled/accepted',
      chargedMicro: 100_000,
      journal: ['authorized', 'submitted', 'settled'],
    });
    expect(rig.facilitator.taken(payTo)).toBe(100_000n);
    expect(await balanced()).toEqual({ chargedMicro: 100_000, receipts: 1 });
  });

  it('without a reserve is 503 settlement_pending; the outcome is written once there is space (X48)', async () => {
    const header = await rig.pay(wallet, path);
    const answering = fullAtT4(header);
    await rig.waitBegan(1000);
    rig.advance(10_000);
    const answer = await answering;
    expect(answer.json()).toMatchObject({ status: 503, code: 'settlement_pending', retryable: true });
    expect(answer.headers.has('payment-required')).toBe(false);
    const { receipt_id } = answer.json();
    expect(await stateOf(receipt_id)).toEqual({
      state: 'submitted/calling',
      chargedMicro: 0,
      journal: ['authorized', 'submitted'],
    });
    expect(rig.facilitator.taken(payTo)).toBe(100_000n);
    // the same payment again learns no more, and nothing is submitted twice
    const meanwhile = paid(header);
    await rig.waitBegan(5000);
    disk.free();
    rig.advance(1000);
    const served = await meanwhile;
    expect(served.status).toBe(200);
    expect(served.json()['settlement_receipt']).toMatchObject({ receipt_id, charge_status: 'settled' });
    expect(served.headers.get('idempotent-replay')).toBe('true');
    expect(await stateOf(receipt_id)).toEqual({
      state: 'settled/accepted',
      chargedMicro: 100_000,
      journal: ['authorized', 'submitted', 'settled'],
    });
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    expect(await balanced()).toEqual({ chargedMicro: 100_000, receipts: 1 });
  });

  it('and whose process is gone before there is space is recovered from the chain (X48, P8.52)', async () => {
    const header = await rig.pay(wallet, path);
    const answering = fullAtT4(header);
    await rig.waitBegan(1000);
    rig.advance(10_000);
    const { receipt_id } = (await answering).json();
    // it tries once more, and then no more
    await rig.waitBegan(1000);
    const { payload } = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
    const { nonce } = payload.authorization as { nonce: string };
    const hash = node.useElsewhere({ from: wallet.address, nonce, to: payTo.toLowerCase(), value: 100_000n });
    disk.free();
    // nobody moves the time of the first any more
    const second = await server('second');
    second.advance(31_000);
    await second.payments.reconciler?.pass();
    expect(await second.ledger.findReceipt(String(receipt_id))).toMatchObject({
      chargeStatus: 'settled',
      chargedMicro: 100_000,
      settlementTxHash: hash,
      delivery: 'undelivered',
      qualityFlags: expect.arrayContaining(['recovered']),
    });
    const served = await paid(header, second);
    expect(served.status).toBe(200);
    expect(served.json()['settlement_receipt']).toMatchObject({ receipt_id });
    expect(second.facilitator.received).toEqual([]);
    expect(await balanced()).toEqual({ chargedMicro: 100_000, receipts: 1 });
  });
});

describe('a disk that is full before the claim', () => {
  it('refuses the payment before any money, leaves free answers alone, and takes it when there is space (X47)', async () => {
    disk.keepReserve();
    disk.fill();
    const header = await rig.pay(wallet, path);
    const answer = await paid(header);
    expect(answer.json()).toMatchObject({ status: 503, code: 'settlement_unavailable' });
    expect(answer.headers.has('payment-required')).toBe(false);
    expect((await rig.ask(path)).status).toBe(402);
    expect(rig.facilitator.received).toEqual([]);
    expect(await balanced()).toEqual({ chargedMicro: 0, receipts: 0 });
    // the reserve is for payments that run
    expect(disk.hasReserve()).toBe(true);
    disk.free();
    // the writer tries again on its own (P8.12); until it has, a payment is refused before it is claimed
    await writesAgain;
    // a buyer repeats after a 503, with the same payment: it is the one that is taken
    expect((await paid(header)).status).toBe(200);
    expect((await paid(header)).headers.get('idempotent-replay')).toBe('true');
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    expect(rig.facilitator.taken(payTo)).toBe(100_000n);
    expect(await balanced()).toEqual({ chargedMicro: 100_000, receipts: 1 });
  });
});
