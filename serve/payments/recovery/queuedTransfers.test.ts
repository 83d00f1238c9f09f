import { expect, it } from 'vitest';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import {
  balanced,
  paid,
  path,
  rig,
  stateOf,
  withProviders,
} from '../../../fixtures/rigs/failingProviderRig.ts';

withProviders();

const listPath = '/v1/x402/transfers';

/** Pays as buyer `n`; the receipt's id. */
async function queuedBy(n: number): Promise<string> {
  rig.gateway.deposits.set(testWallet(n).address, 1_000_000n);
  const answer = await paid(await rig.pay(testWallet(n), path, { provider: 'gateway_batched' }));
  return (answer.json()['settlement_receipt'] as { receipt_id: string }).receipt_id;
}
const pass = () => rig.payments.reconciler?.pass();

it('one list closes what everybody has queued, before any of it is due (P3.8, P3.10)', async () => {
  const receipts = [await queuedBy(41), await queuedBy(42), await queuedBy(43), await queuedBy(44)];
  const [first, second, third] = rig.gateway.transfers;
  rig.gateway.move(first?.id ?? '', 'completed');
  rig.gateway.move(second?.id ?? '', 'failed');
  rig.gateway.move(third?.id ?? '', 'completed');
  expect(await pass()).toEqual({ looked: 3, moved: 3, left: 0 });
  expect(await Promise.all(receipts.map(stateOf))).toEqual([
    'settled/accepted',
    'failed/refused',
    'settled/accepted',
    'queued_for_batch/accepted',
  ]);
  expect(rig.gateway.calls(listPath)).toHaveLength(1);
  expect(rig.gateway.calls(`${listPath}/${first?.id}`)).toEqual([]);
  const watched = await rig.ledger.watchlist.list();
  expect(watched.map(({ payer, reason }) => [payer, reason])).toEqual([
    [testWallet(42).address, 'gateway_failed'],
  ]);
  await balanced(300_000);
});

it('the list is asked for every five minutes', async () => {
  const lists = () => rig.gateway.calls(listPath).length;
  await pass();
  rig.advance(299_999);
  await pass();
  expect(lists()).toBe(1);
  rig.advance(1);
  await pass();
  expect(lists()).toBe(2);
});

it.each([{ amount: '1' }, { fromAddress: testWallet(46).address }, { toAddress: testWallet(46).address }])(
  'an entry that says something else than the claim is not believed: %j',
  async (lie) => {
    const receipt = await queuedBy(45);
    const [transfer] = rig.gateway.transfers;
    Object.assign(transfer ?? {}, lie, { status: 'completed' });
    await pass();
    expect(await stateOf(receipt)).toBe('queued_for_batch/accepted');
  },
);
