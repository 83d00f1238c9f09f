import { describe, expect, it } from 'vitest';
import { depositaryShares, ordinarySharesOf } from './depositaryShares.ts';

const titled = (...values: string[]) =>
  depositaryShares(
    values.map((value) => ({
      ...{ concept: 'dei:Security12bTitle', contextId: 'c', value },
      ...{ start: '2024-01-01', end: '2024-12-31', dimensions: [] },
    })),
  );

describe('ordinary shares of a depositary share (M18.42b)', () => {
  it.each([
    ['American depositary shares, each representing ten ordinary shares, par value $0.0001', '10'],
    [
      'American Depositary Shares (each American Depositary Share representing 15 Class A ordinary shares)',
      '15',
    ],
    [
      'American depositary shares, each of which represents one hundred and fifty (150) Class A ordinary shares',
      '150',
    ],
    ['ADSs, each ADS representing three hundred Class A common shares', '300'],
    ['American Depositary Shares, each representing one-half of one ordinary share', '0.5'],
    ['American Depositary Shares, each representing 1/5 of an ordinary share', '0.2'],
    ['Two American Depositary Shares, representing one ordinary share', '0.5'],
    ['American Depositary Shares, each representing twenty\u2011five ordinary shares', '25'],
  ])('of "%s" are %s', (text, value) => {
    expect(ordinarySharesOf(text)?.toString()).toBe(value);
  });

  it.each([
    'American Depositary Shares',
    'American Depositary Shares, each representing a number of ordinary shares',
    'American Depositary Shares, each representing 0 ordinary shares',
    'Warrants, each representing the right to buy several ordinary shares',
  ])('are not stated by "%s"', (text) => {
    expect(ordinarySharesOf(text)).toBe(null);
  });

  it('are unknown where no title says it or two say otherwise, and nothing where none is listed', () => {
    expect(titled('American Depositary Shares')).toEqual({ ordinaryShares: null });
    expect(
      titled('ADSs, each representing 10 ordinary shares', 'ADSs, each representing 15 ordinary shares'),
    ).toEqual({
      ordinaryShares: null,
    });
    expect(titled('Class A Ordinary Shares, par value $0.0001 per share')).toBe(null);
    expect(
      titled('Depositary Shares, each representing a 1/40th interest in a share of Preferred Stock'),
    ).toBe(null);
  });
});
