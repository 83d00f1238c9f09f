import { describe, expect, it } from 'vitest';
import { ChainUnavailable } from '../../evm/chainReader.ts';
import { nextStep, type Purse, purseMembers, reasonFromPurse } from './emptyPurse.ts';

const otherwise = 'Sign again.';
const payer = `0x${'ab'.repeat(20)}`;
const purse: Purse = { kind: 'wallet', payer, amountMicro: 40_000 };

describe('the next step after a refused payment', () => {
  it.each(['insufficient_funds', 'insufficient_balance', 'invalid_exact_evm_insufficient_balance'])(
    'is to fill the purse after %s, never to sign again, and names whose and how much',
    (reason) => {
      expect(nextStep(reason, { purse, otherwise })).toBe(
        `The wallet of ${payer} holds less than 0.040000 USD of the token: fund it, or pay from another one. Then send the same request with a new payment; signing again before changes nothing.`,
      );
      expect(nextStep(reason, { purse: { ...purse, kind: 'deposit' }, otherwise })).toMatch(
        /deposit of 0xab.* at the gateway.*add to it/,
      );
      expect(nextStep(reason, { purse: { ...purse, payer: null }, otherwise })).toMatch(
        /^The wallet holds less/,
      );
      expect(purseMembers(reason, purse)).toEqual({ retryable: false, payer, required_usd: 0.04 });
      expect(purseMembers(reason, { ...purse, payer: null })).toEqual({ retryable: false });
    },
  );

  it.each(['invalid_signature', 'authorization_used', 'no_funds', ''])(
    'is what the caller says after "%s"',
    (reason) => {
      expect(nextStep(reason, { purse, otherwise })).toBe(otherwise);
      expect(purseMembers(reason, purse)).toEqual({});
    },
  );
});

describe('a refusal that names no reason', () => {
  const holding = (balance: bigint) => ({
    asked: 0,
    balanceOf() {
      this.asked += 1;
      return Promise.resolve(balance);
    },
  });
  const asked = (reason: string, chain: Parameters<typeof reasonFromPurse>[1]['chain'], of: Purse = purse) =>
    reasonFromPurse(reason, { chain, asset: payer, purse: of });

  it('is that of the purse where the chain says that it holds too little, and itself where it holds enough', async () => {
    const failed = 'invalid_exact_evm_transaction_simulation_failed';
    expect(await asked(failed, holding(39_999n))).toBe('insufficient_funds');
    expect(await asked(failed, holding(40_000n))).toBe(failed);
    expect(await asked(failed, null)).toBe(failed);
    const down = { balanceOf: () => Promise.reject(new ChainUnavailable('eth_call')) };
    expect(await asked(failed, down)).toBe(failed);
  });

  it.each([
    'invalid_signature',
    'nonce_already_used',
    'invalid_exact_evm_payload_authorization_valid_before',
  ])('stays %s, which an empty purse does not explain', async (reason) => {
    const chain = holding(0n);
    expect(await asked(reason, chain)).toBe(reason);
    expect(chain.asked).toBe(0);
  });
});
