import { describe, expect, it } from 'vitest';
import { type MarketLine, marketWords } from './countLines.ts';

const line = (members: Partial<MarketLine>): MarketLine => ({
  product: 'BTC-PERP-INTX',
  pressure: 0.418,
  state: 'balanced',
  funding_annualized: 0.1095,
  basis_bps: -0.02,
  synthetic: false,
  ...members,
});

describe('the market lines of a summary', () => {
  it('give pressure, state, funding of a year and basis', () => {
    expect(marketWords([line({})])).toEqual([
      'BTC pressure 0.42 balanced, funding 11 % a year, basis 0.0 bp',
    ]);
  });

  it('name the products without a pressure, and observations that no market made', () => {
    const none = { pressure: null, state: 'insufficient_evidence' };
    const lines = [line({ synthetic: true }), line({ ...none, product: 'TEK-19DEC30-CDE' })];
    expect(marketWords(lines)).toEqual([
      'BTC pressure 0.42 balanced, funding 11 % a year, basis 0.0 bp',
      'not enough evidence for a pressure: TEK',
      'made-up observations, marked synthetic',
    ]);
  });

  it('are none without a product', () => {
    expect(marketWords([])).toEqual([]);
  });
});
