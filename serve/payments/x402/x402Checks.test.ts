import { describe, expect, it } from 'vitest';
import type { Requirement } from '../../../data/contract/billing/requirement.ts';
import { readPayment } from './paymentPayload.ts';
import { matchOffer } from './x402Checks.ts';

// which offered entry a payment takes (P2.12, P2.13)

const exact: Requirement = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount: '100000',
  payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
};
const batched: Requirement = {
  ...exact,
  maxTimeoutSeconds: 604_900,
  extra: {
    name: 'GatewayWalletBatched',
    version: '1',
    verifyingContract: '0x77777777Dcc4d5A8B6E418Fd04D8997ef11000eE',
    minValiditySeconds: 604_800,
  },
};
const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

function matched(accepted: object) {
  const authorization = {
    from,
    to: exact.payTo,
    value: exact.amount,
    validAfter: '0',
    validBefore: '1795236568',
    nonce: `0x${'CD'.repeat(32)}`,
  };
  const payload = { signature: `0x${'AB'.repeat(65)}`, authorization };
  return matchOffer(readPayment({ x402Version: 2, accepted, payload }), [exact, batched], null);
}
const reasonOf = (accepted: object): unknown => {
  try {
    return matched(accepted).amountDiffers ? 'price_changed' : null;
  } catch (error) {
    return (error as { details: { reason: unknown } }).details.reason;
  }
};

describe('matchOffer', () => {
  it('compares addresses without case, and nothing of what an offer only tells (P2.13)', () => {
    const { extra, ...rest } = exact;
    const spellings = [
      { extra, ...rest },
      { ...exact, asset: exact.asset.toLowerCase(), payTo: exact.payTo.toLowerCase() },
      { ...exact, maxTimeoutSeconds: 1, description: 'more', extra: { ...extra, more: { of: 'it' } } },
      { ...exact, extra: { ...extra, verifyingContract: from } },
    ];
    for (const accepted of spellings) expect(matched(accepted).requirement).toBe(exact);
    const wallet = String(batched.extra['verifyingContract']).toLowerCase();
    const named = { name: 'GatewayWalletBatched', version: '1', verifyingContract: wallet };
    expect(matched({ ...batched, extra: named })).toMatchObject({ provider: 'gateway_batched' });
  });

  it.each<[string, object]>([
    ['scheme', { scheme: 'Exact' }],
    ['network', { network: 'EIP155:8453' }],
    ['network', { network: 'eip155:84532' }],
    ['asset', { asset: from }],
    ['pay_to', { payTo: from }],
    ['extra_name', { extra: { name: 'USDC', version: '2' } }],
    ['extra_name', { extra: { name: 'usd coin', version: '2' } }],
    ['extra_name', { extra: { name: '__proto__', version: '2' } }],
    ['extra_version', { extra: { name: 'USD Coin', version: '1' } }],
    ['verifying_contract', { extra: { ...batched.extra, verifyingContract: exact.asset } }],
    ['verifying_contract', { extra: { name: 'GatewayWalletBatched', version: '1' } }],
    ['price_changed', { amount: '99999' }],
  ])('says %s when that alone is another one (P2.12, P2.13, X62)', (reason, change) => {
    expect(reasonOf({ ...exact, ...change })).toBe(reason);
  });
});
