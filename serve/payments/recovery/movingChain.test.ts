import { expect, test } from 'vitest';
import { exampleClaim } from '../../../fixtures/rigs/ledgerConformance/examples.ts';
import type { ChainReader, MinedTransaction } from '../../evm/chainReader.ts';
import type { ClaimedPayment } from '../../ledger/port/payment.ts';
import { resolveExact, resolveMpp } from './resolution.ts';

// Answers of a node belong to the moment of each call: between two calls the payment may be mined and the chain may
// pass its end. No order of events may fail a payment that moved the money (P8.52, I3.7).

const input = exampleClaim(1);
const txHash = `0x${'7'.repeat(64)}`;
const endSeconds = Number(input.validBefore);
const mined: MinedTransaction = {
  succeeded: true,
  blockNumber: 9,
  transfers: [
    { token: input.domainContract, from: input.payer, to: input.payTo, value: BigInt(input.amountMicro) },
  ],
};
// what the resolvers read of a claimed payment
const found = { payment: { ...input, txHash } } as unknown as ClaimedPayment;

/** A chain on which the payment is mined, and its end passed, after `calls` calls. */
function movingChain(calls: number): ChainReader {
  let left = calls;
  const after = (): boolean => {
    left -= 1;
    return left < 0;
  };
  return {
    hasCode: async () => 'none',
    balanceOf: async () => 0n,
    authorizationUsed: async () => after(),
    findAuthorizationUse: async () => (after() ? { event: 'used', transaction: txHash } : null),
    transaction: async () => (after() ? mined : null),
    block: async () => ({ number: 9, timestamp: after() ? endSeconds + 3600 : endSeconds - 3600 }),
    chainId: async () => 8453,
    tokenFacts: async () => ({ name: '', version: '', decimals: 6 }),
  };
}

test.each([
  ['x402', resolveExact],
  ['MPP', resolveMpp],
] as const)('a chain that moves on between two looks fails no %s payment', async (_, resolve) => {
  const kinds = [];
  for (let calls = 0; calls <= 6; calls += 1) kinds.push((await resolve(found, movingChain(calls))).kind);
  expect(kinds).not.toContain('failed');
  expect(kinds[0]).toBe('settled');
  expect(kinds.at(-1)).toBe('leave');
});
