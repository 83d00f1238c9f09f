import { describe, expect, it } from 'vitest';
import { nextStep } from './settleOutcome.ts';

const otherwise = 'Sign again.';

describe('the next step after a refused payment', () => {
  it.each(['insufficient_funds', 'insufficient_balance', 'invalid_exact_evm_insufficient_balance'])(
    'is to fill the purse after %s, never to sign again',
    (reason) => {
      expect(nextStep(reason, { purse: 'wallet', otherwise })).toMatch(
        /fund it.*Signing again changes nothing/,
      );
      expect(nextStep(reason, { purse: 'deposit', otherwise })).toMatch(/deposit at the gateway.*add to it/);
    },
  );

  it.each(['invalid_signature', 'authorization_used', 'no_funds', ''])(
    'is what the caller says after "%s"',
    (reason) => {
      expect(nextStep(reason, { purse: 'wallet', otherwise })).toBe(otherwise);
    },
  );
});
