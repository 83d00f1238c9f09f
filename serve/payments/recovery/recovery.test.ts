import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import { type ChainReplica, chainReplica } from '../../../fixtures/replicas/chainReplica.ts';
import { type PaidRig, paidRig, payTo } from '../../../fixtures/rigs/paidRig.ts';

// what the chain says of payments whose call left no answer (P8.52, P8.54, P2.41)

const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(71);
const clock = { nowMs: 0 };
let rig: PaidRig;
let node: ChainReplica;

async function start(environment: Record<string, string> = {}): Promise<void> {
  clock.nowMs = Date.parse('2026-02-07T10:00:00Z');
  node = await chainReplica({ nowMs: () => clock.nowMs });
  rig = await paidRig({ clock, environment: { II_PAY_RPC_URL: node.url, ...environment } });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  rig.facilitator.balances.set(wallet.address, 10_000_000n);
  node.balances.set(wallet.address, 10_000_000n);
}
async function stop(): Promise<void> {
  await rig.close();
  await node.close();
}
beforeEach(() => start());
afterEach(stop);

const paid = (header: string) => rig.ask(path, { headers: { 'payment-signature': header } });
const transferOf = (header: string) => {
  const { payload } = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
  const { nonce } = payload.authorization as { nonce: string };
  return { from: wallet.address, nonce, to: payTo.toLowerCase(), value: 100_000n };
};
/** A payment whose settle call is cut off: the outcome is open. */
async function lost(): Promise<{ header: string; receiptId: string }> {
  const header = await rig.pay(wallet, path);
  rig.facilitator.misbehave('/settle', { kind: 'drop' });
  const answer = await paid(header);
  expect(answer.json()['code']).toBe('settlement_pending');
  return { header, receiptId: String(answer.json()['receipt_id']) };
}
async function look(afterMs: number): Promise<void> {
  rig.advance(afterMs);
  await rig.payments.reconciler?.pass();
}
const receiptOf = async (receiptId: string) => {
  const receipt = await rig.ledger.findReceipt(receiptId);
  if (receipt === null) throw new RangeError(receiptId);
  return receipt;
};
async function onlyRow() {
  const rows = [];
  for await (const row of rig.ledger.export({ fromMs: 0, toMs: 8e15 })) rows.push(row);
  const [row, ...more] = rows;
  if (row === undefined || more.length > 0) throw new RangeError(`${rows.length} rows`);
  return row;
}
/** Receipt and phase of the one claim there is. */
async function onlyState(): Promise<string> {
  const { claimKey } = await receiptOf((await onlyRow()).receiptId);
  const found = await rig.ledger.findClaim(claimKey ?? new Uint8Array(32));
  return `${found?.receipt.chargeStatus}/${found?.payment.phase}`;
}
async function balanced(chargedMicro: number): Promise<void> {
  expect(await rig.ledger.check()).toMatchObject({ problems: [], chargedMicro });
}

describe('an open exact payment', () => {
  it('that the chain has is settled with its hash, flagged, and served to the same header (X6, X37)', async () => {
    const { header, receiptId } = await lost();
    const hash = node.useElsewhere(transferOf(header));
    await look(31_000);
    expect(await receiptOf(receiptId)).toMatchObject({
      chargeStatus: 'settled',
      settlementTxHash: hash,
      delivery: 'undelivered',
      qualityFlags: expect.arrayContaining(['recovered']),
    });
    const again = await paid(header);
    expect(again.status).toBe(200);
    expect(again.json()['settlement_receipt']).toMatchObject({
      receipt_id: receiptId,
      quality_flags: ['gateway_not_used', 'replayed', 'recovered'],
    });
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    await balanced(100_000);
  });

  it('is looked at again when the same header comes, without a second submission (I5.25)', async () => {
    const { header } = await lost();
    node.useElsewhere(transferOf(header));
    expect((await paid(header)).status).toBe(200);
    expect(rig.facilitator.calls('/settle')).toHaveLength(1);
    await balanced(100_000);
  });

  it('stays open while it could still be used, and ends unused after its time (X34, P8.52 3)', async () => {
    const { header, receiptId } = await lost();
    await look(31_000);
    expect((await receiptOf(receiptId)).chargeStatus).toBe('submitted');
    expect((await paid(header)).json()).toMatchObject({ status: 503, code: 'settlement_pending' });
    rig.advance(60_000);
    node.mine();
    await look(31_000);
    expect(await receiptOf(receiptId)).toMatchObject({
      chargeStatus: 'failed',
      failureReason: 'expired_unused',
    });
    expect((await paid(header)).json()).toMatchObject({
      status: 402,
      code: 'payment_settlement_failed',
      error_reason: 'expired_unused',
    });
    await balanced(0);
  });

  it('waits for a safe block, not for the newest one, before it counts as unused (P8.52)', async () => {
    node.safeLag = 1;
    const { receiptId } = await lost();
    rig.advance(61_000);
    node.mine();
    await look(31_000);
    expect((await receiptOf(receiptId)).chargeStatus).toBe('submitted');
    node.mine();
    await look(16_000);
    expect((await receiptOf(receiptId)).chargeStatus).toBe('failed');
  });

  it('that was canceled, or paid somebody else, is over (P8.52 2)', async () => {
    const first = await lost();
    node.cancel(transferOf(first.header));
    await look(31_000);
    expect(await receiptOf(first.receiptId)).toMatchObject({ failureReason: 'authorization_canceled' });
    const second = await lost();
    node.useElsewhere({ ...transferOf(second.header), to: `0x${'7'.repeat(40)}` });
    await look(31_000);
    expect(await receiptOf(second.receiptId)).toMatchObject({ failureReason: 'authorization_canceled' });
    await balanced(0);
  });

  it('used long before the claim is another deployment’s sale (X13, X25)', async () => {
    const header = await rig.pay(wallet, path);
    node.useElsewhere({ ...transferOf(header), timestamp: Math.floor(clock.nowMs / 1000) - 600 });
    node.mine();
    const body = {
      success: false,
      errorReason: 'nonce_already_used',
      transaction: '',
      network: 'eip155:8453',
    };
    rig.facilitator.misbehave('/settle', { kind: 'status', status: 200, body: JSON.stringify(body) });
    const answer = await paid(header);
    expect(answer.json()).toMatchObject({
      status: 402,
      code: 'payment_settlement_failed',
      error_reason: 'authorization_used_before',
    });
    expect(answer.headers.has('payment-required')).toBe(true);
    expect(await onlyState()).toBe('failed/refused');
    expect(rig.facilitator.taken(payTo)).toBe(0n);
    await balanced(0);
  });

  it('whose use the node cannot find yet is left alone: the state is ahead of the index of events (P8.52)', async () => {
    const { header, receiptId } = await lost();
    const hash = node.useElsewhere(transferOf(header));
    node.eventsHidden = true;
    await look(31_000);
    expect((await receiptOf(receiptId)).chargeStatus).toBe('submitted');
    node.eventsHidden = false;
    await look(31_000);
    expect(await receiptOf(receiptId)).toMatchObject({ chargeStatus: 'settled', settlementTxHash: hash });
    await balanced(100_000);
  });

  it('is told of once when it is older than an hour, also by a worker that comes later (P8.42)', async () => {
    await stop();
    // without a node nothing can be learned (P8.53)
    await start({ II_PAY_RPC_URL: '' });
    const { receiptId } = await lost();
    const told = () => rig.logLines.filter((line) => line.includes('payment_unresolved')).length;
    for (let minutes = 0; minutes < 60; minutes += 10) await look(600_000 - 1000);
    expect(told()).toBe(0);
    await look(7_200_000);
    expect(told()).toBe(1);
    for (let i = 0; i < 12; i += 1) await look(601_000);
    expect(told()).toBe(1);
    expect((await receiptOf(receiptId)).chargeStatus).toBe('submitted');
  });

  it('used by a third party after the claim is ours at once (X12, P2.40)', async () => {
    const header = await rig.pay(wallet, path);
    const hash = node.useElsewhere(transferOf(header));
    const body = {
      success: false,
      errorReason: 'nonce_already_used',
      transaction: '',
      network: 'eip155:8453',
    };
    rig.facilitator.misbehave('/settle', { kind: 'status', status: 200, body: JSON.stringify(body) });
    const answer = await paid(header);
    expect(answer.status).toBe(200);
    expect(answer.json()['settlement_receipt']).toMatchObject({
      settlement_tx_hash: hash,
      quality_flags: expect.arrayContaining(['recovered']),
    });
    expect(await onlyState()).toBe('settled/accepted');
    // the money came by the third party's submission, once
    expect(node.balances.get(payTo.toLowerCase())).toBe(100_000n);
    await balanced(100_000);
  });

  it('is left alone while the node is away (X56)', async () => {
    const { receiptId } = await lost();
    await node.close();
    await look(31_000);
    expect((await receiptOf(receiptId)).chargeStatus).toBe('submitted');
    expect(rig.logLines.join('')).toContain('reconcile_failed');
  });
});

describe('a settled exact payment', () => {
  it('that never reached the chain is reported as a lie (X14, P2.41)', async () => {
    const answer = await paid(await rig.pay(wallet, path));
    expect(answer.status).toBe(200);
    await look(61_000);
    expect(rig.logLines.join('')).not.toContain('provider_lied');
    rig.advance(61_000);
    node.mine();
    await look(61_000);
    expect(rig.logLines.join('')).toContain('provider_lied');
    expect(await onlyState()).toBe('settled/accepted');
    expect(node.balances.get(payTo.toLowerCase())).toBeUndefined();
    await balanced(100_000);
  });

  it('that came by another transaction than the named one is no lie (P8.54)', async () => {
    const header = await rig.pay(wallet, path);
    expect((await paid(header)).status).toBe(200);
    node.useElsewhere(transferOf(header));
    rig.advance(120_000);
    node.mine();
    await look(61_000);
    expect(rig.logLines.join('')).not.toContain('provider_lied');
    const { claimKey } = await receiptOf((await onlyRow()).receiptId);
    const found = await rig.ledger.findClaim(claimKey ?? new Uint8Array(32));
    expect(found?.payment).toMatchObject({ finality: 'safe', nextCheckMs: null });
    await balanced(100_000);
  });

  it('is not served on a promise where receipts are read (II_PAY_CONFIRM=receipt, X14)', async () => {
    await stop();
    await start({ II_PAY_CONFIRM: 'receipt' });
    const header = await rig.pay(wallet, path);
    const answer = paid(header);
    await rig.facilitator.arrived('/settle', 1);
    await node.arrived('/', 3);
    rig.advance(10_000);
    expect((await answer).json()).toMatchObject({ status: 503, code: 'settlement_pending' });
    expect(await onlyState()).toMatch(/^submitted\/(calling|unknown)$/);
    await balanced(0);
  });

  it('is safe once its block is, and reported when a reorganization drops it for good (X55, P8.54)', async () => {
    node.safeLag = 5;
    const { header, receiptId } = await lost();
    node.useElsewhere(transferOf(header));
    await look(31_000);
    expect((await receiptOf(receiptId)).chargeStatus).toBe('settled');
    await look(61_000);
    node.reorganize();
    rig.advance(120_000);
    for (let i = 0; i < 7; i += 1) node.mine();
    await look(61_000);
    await look(61_000);
    expect(rig.logLines.join('')).toContain('settlement_reorged');
    expect((await receiptOf(receiptId)).chargeStatus).toBe('settled');
    const found = await rig.ledger.findClaim((await receiptOf(receiptId)).claimKey ?? new Uint8Array(32));
    expect(found?.payment).toMatchObject({ finality: 'reorged', nextCheckMs: null });
    // what the payer has really paid: the operator decides (T11)
    expect(node.balances.get(payTo.toLowerCase())).toBe(0n);
    await balanced(100_000);
  });
});

describe('a short signature that does not recover', () => {
  const forged = `0x${'11'.repeat(64)}1b`;

  it('goes to the facilitator only where there is code at the address (P2.31)', async () => {
    const refused = await paid(await rig.pay(wallet, path, { signature: forged }));
    expect(refused.json()).toMatchObject({ code: 'payment_verification_failed' });
    expect(rig.facilitator.received).toEqual([]);
    node.contracts.add(wallet.address);
    // remembered for a minute
    expect((await paid(await rig.pay(wallet, path, { signature: forged }))).status).toBe(402);
    expect(rig.facilitator.received).toEqual([]);
    rig.advance(60_000);
    await paid(await rig.pay(wallet, path, { signature: forged }));
    expect(rig.facilitator.received.map((call) => call.path)).toEqual(['/verify']);
  });
});

describe('a chain that does not answer', () => {
  it('says nothing about a signature that is no account’s: 503, nothing is written, and it may come again (P2.31)', async () => {
    const header = await rig.pay(wallet, path, { signature: `0x${'11'.repeat(64)}1b` });
    await node.close();
    const answer = await paid(header);
    expect(answer.json()).toMatchObject({ status: 503, code: 'settlement_unavailable', rail: 'x402' });
    expect(rig.facilitator.received).toEqual([]);
    await balanced(0);
  });
});
