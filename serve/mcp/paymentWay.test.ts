import { describe, expect, it } from 'vitest';
import { paysMppAlone } from './paymentWay.ts';

const alone = (...lines: string[]): boolean => paysMppAlone(lines, 'tempo');

describe('a client that pays over MPP alone', () => {
  it.each([
    ['as mppx writes it', 'tempo/charge'],
    ['beside methods that nothing here takes', 'stripe/charge, tempo/charge;q=0.5, tempo/session'],
    ['with every intent of its method', 'tempo/*'],
    ['that refuses x402', '*/*, evm/charge;q=0'],
    ['that takes another intent of x402’s method', 'tempo/charge, evm/session'],
  ])('is known %s (P10.5a)', (_, header) => expect(alone(header)).toBe(true));

  it.each([
    ['pays x402 as well', 'evm/charge, tempo/charge'],
    ['pays x402 rather', 'tempo/charge;q=0.1, evm/charge'],
    ['pays anything', '*/*'],
    ['pays charges of any method', '*/charge'],
    ['refuses our method', 'tempo/charge;q=0, tempo/*'],
    ['pays by a method that we have not', 'stripe/charge'],
    ['says nothing', ''],
    ['cannot be read in one entry', 'tempo/charge, tempo'],
    ['weighs in other numbers', 'tempo/charge;q=2'],
    ['shouts', 'TEMPO/charge'],
  ])('is not one that %s', (_, header) => expect(alone(header)).toBe(false));

  it('may say so in several lines, and is none without the header', () => {
    expect(alone('stripe/charge', 'tempo/charge')).toBe(true);
    expect(alone('tempo/charge', 'evm/charge')).toBe(false);
    expect(paysMppAlone(undefined, 'tempo')).toBe(false);
  });

  it('is read in bounded time', () => {
    expect(alone(`${' '.repeat(30_000)}tempo/charge;`)).toBe(false);
    expect(alone('tempo/charge,'.repeat(2_000))).toBe(false);
  });
});
